"""Packs and signs the bundled gems, and adds the public half of the key to the official keys built into the program.

    python installer/sign_gems.py [--key FILE]

Without `--key` a new key pair is made whose private half is forgotten when the script ends: a later signing adds
another key. With `--key` the private half (32 bytes as hexadecimal text) is read from FILE, which is made if it is
missing and must lie outside the repository.
"""

import argparse
import sys
from pathlib import Path

from nacl.signing import SigningKey

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from notochord.persistence.atomic_files import write_atomically  # noqa: E402 - found after the path is set
from notochord.services.gems.official_keys import OFFICIAL_KEYS  # noqa: E402
from notochord.services.gems.packing import pack  # noqa: E402
from notochord.services.gems.signatures import key_id  # noqa: E402

GEMS = ROOT / "resources" / "gems"
KEYS = ROOT / "src" / "notochord" / "services" / "gems" / "official_keys.py"


def main() -> int:
    parser = argparse.ArgumentParser(description="Pack and sign the bundled gems.")
    parser.add_argument("--key", type=Path, help="file with the private key, outside the repository")
    key = _key(parser.parse_args().key)
    for draft in sorted(path for path in GEMS.iterdir() if path.is_dir()):
        package = GEMS / f"{draft.name}.gem"
        write_atomically(package, pack(draft, key=key), mode=0o644)
        print(package.relative_to(ROOT))
    public = bytes(key.verify_key)
    write_atomically(KEYS, _module({**OFFICIAL_KEYS, key_id(public): public}).encode(), mode=0o644)
    print(f"official key {key_id(public)}")
    return 0


def _key(file: Path | None) -> SigningKey:
    if file is None:
        return SigningKey.generate()
    if file.resolve().is_relative_to(ROOT):
        sys.exit("the private key must lie outside the repository")
    if not file.exists():
        write_atomically(file, SigningKey.generate().encode().hex().encode())
    return SigningKey(bytes.fromhex(file.read_text(encoding="ascii")))


def _module(keys: dict[str, bytes]) -> str:
    """Return the source of the module that holds the official keys, as the formatter would write it."""
    lines = [f'    "{name}": bytes.fromhex(\n        "{key.hex()}"\n    ),' for name, key in sorted(keys.items())]
    one_line = [f'    "{name}": bytes.fromhex("{key.hex()}"),' for name, key in sorted(keys.items())]
    entries = [short if len(short) <= 120 else long for short, long in zip(one_line, lines, strict=True)]
    head = '"""The public keys whose signatures are official; `installer/sign_gems.py` adds to them."""\n\n'
    return head + "OFFICIAL_KEYS: dict[str, bytes] = {\n" + "\n".join(entries) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main())
