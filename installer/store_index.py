"""Makes the list of the store that comes with the program from the bundled gems, after they were signed.

    python installer/store_index.py

Names and descriptions in other languages are those of `translations/<language>/window_brought.json`.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from notochord.persistence.atomic_files import write_atomically  # noqa: E402 - found after the path is set
from notochord.services.store.making import make_index  # noqa: E402

GEMS = ROOT / "resources" / "gems"
INDEX = ROOT / "resources" / "store" / "index.json"
LANGUAGES = {"zh_CN": "zh-CN"}


def bundled_index() -> bytes:
    """Return the list of the bundled gems."""
    packages = sorted(GEMS.glob("*.gem"))
    return make_index(packages, {package.stem: _texts(package.stem) for package in packages})


def _texts(gem: str) -> dict[str, dict[str, str]]:
    found = {}
    for folder, language in LANGUAGES.items():
        file = ROOT / "translations" / folder / "window_brought.json"
        sentences = json.loads(file.read_text(encoding="utf-8"))
        key = f"window.brought.gem.{gem}"
        if key in sentences:
            found[language] = {"name": sentences[key], "description": sentences[f"{key}.description"]}
    return found


def main() -> int:
    INDEX.parent.mkdir(exist_ok=True)
    write_atomically(INDEX, bundled_index(), mode=0o644)
    print(INDEX.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
