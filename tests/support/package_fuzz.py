"""Mutations of a good package: its bytes, its zip records, and its content zipped anew with sound checksums."""

import hashlib
import io
import json
import re
import struct
import zipfile
from collections.abc import Callable
from random import Random

Mutation = Callable[[bytes, Random], bytes]
Files = dict[str, bytes]

NAMES = ("../up.ts", "/abs.ts", "C:\\a.ts", "a\\..\\b", "TOOLS/greet.ts", "tools", "nul", "tools/greet.ts ", "x" * 300)
TEXTS = (b"", b"null", b"{}", b"[]", b"\xff\xfe", b"[" * 5_000, b'{"a":1e999}', b'{"a":' + b"9" * 5_000 + b"}")
VALUES: tuple[object, ...] = (None, True, 0, -1, 2**53, 1e308, "", "\ud800", "x" * 1_000, [], {}, [[]], {"": ""})
KINDS = (0, 0o120777 << 16, 0o040755 << 16, 0o010644 << 16, 0x10, 0x400)
SIGNATURES = (b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06")


def flip(package: bytes, chance: Random) -> bytes:
    changed = bytearray(package)
    for _ in range(chance.choice((1, 1, 1, 2, 8))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def overwrite(package: bytes, chance: Random) -> bytes:
    place, length = chance.randrange(len(package)), chance.randrange(1, 9)
    return package[:place] + chance.randbytes(length) + package[place + length :]


def cut(package: bytes, chance: Random) -> bytes:
    start, end = sorted((chance.randrange(len(package)), chance.randrange(len(package))))
    return package[:start] + package[end:] if chance.random() < 0.5 else package[:start]


def insert(package: bytes, chance: Random) -> bytes:
    place = chance.choice((0, len(package), chance.randrange(len(package))))
    return package[:place] + chance.randbytes(chance.randrange(1, 40)) + package[place:]


def repeat(package: bytes, chance: Random) -> bytes:
    start, end = sorted((chance.randrange(len(package)), chance.randrange(len(package))))
    return package[:end] + package[start:end] + package[end:]


def zip_record(package: bytes, chance: Random) -> bytes:
    """Change one field of one record of the zip."""
    signature = chance.choice(SIGNATURES)
    places = [found.start() for found in re.finditer(re.escape(signature), package)]
    place = chance.choice(places) + chance.randrange(4, 46 if signature == SIGNATURES[0] else 22)
    size = chance.choice((1, 2, 4))
    value = chance.choice((0, 1, 0xFF, 0xFFFF, 0xFFFFFFFF, chance.getrandbits(32))) & (256**size - 1)
    return package[:place] + struct.pack("<I", value)[:size] + package[place + size :]


def content(package: bytes, chance: Random) -> bytes:
    """Change a file, and let the zip be sound."""

    def change(files: Files) -> None:
        name = chance.choice(sorted(files))
        files[name] = chance.choice(TEXTS) if chance.random() < 0.3 else flip(files[name] or b"x", chance)

    return _rezipped(package, chance, change)


def names(package: bytes, chance: Random) -> bytes:
    """Rename, add, copy or take away a file."""

    def change(files: Files) -> None:
        name = chance.choice(sorted(files))
        match chance.randrange(4):
            case 0:
                files[chance.choice(NAMES)] = files.pop(name)
            case 1:
                files[chance.choice(NAMES)] = b"x"
            case 2:
                del files[name]
            case _:
                files[name], files["tools/greet.ts"] = files.get("tools/greet.ts", b""), files[name]

    return _rezipped(package, chance, change)


def manifest(package: bytes, chance: Random) -> bytes:
    """Change one value anywhere in the manifest or the signature; make the hashes right, sometimes."""

    def change(files: Files) -> None:
        name = chance.choice(("notochord.json", "notochord.json", "SIGNATURE.json"))
        value = json.loads(files[name])
        _change_somewhere(value, chance)
        indent = chance.choice((None, 1))
        files[name] = json.dumps(value, indent=indent, sort_keys=chance.random() < 0.3).encode("utf-8", "surrogatepass")

    return _rezipped(package, chance, change)


MUTATIONS: tuple[Mutation, ...] = (
    flip,
    overwrite,
    cut,
    insert,
    repeat,
    zip_record,
    zip_record,
    content,
    names,
    manifest,
)


def mutated(package: bytes, chance: Random) -> bytes:
    """Apply one mutation, sometimes two; the second may find no sound zip any more and changes bytes then."""
    for _ in range(chance.choice((1, 1, 1, 2))):
        try:
            package = chance.choice(MUTATIONS)(package, chance)
        except Exception:  # whatever Python's own readers of zip and JSON make of the first mutation
            package = flip(package or b"x", chance)
    return package


def unsigned(package: bytes, chance: Random) -> bytes:
    """Change what a package means, without a signature; the hashes of changed files are made right."""

    def change(files: Files) -> None:
        del files["SIGNATURE.json"]
        value = json.loads(files["notochord.json"])
        if chance.random() < 0.3:
            name = chance.choice(sorted(files.keys() - {"notochord.json"}))
            files[chance.choice((name, *NAMES[4:]))] = chance.choice(TEXTS)
            value["integrity"]["files"] = {
                path: {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
                for path, content in files.items()
                if path != "notochord.json"
            }
        for _ in range(chance.choice((0, 1, 1, 2))):
            _change_somewhere(value, chance)
        files["notochord.json"] = json.dumps(value).encode("utf-8", "surrogatepass")

    return _rezipped(package, chance, change)


def _rezipped(package: bytes, chance: Random, change: Callable[[Files], None]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(buffer, "w") as target:
        files = {name: source.read(name) for name in source.namelist()}
        change(files)
        order = sorted(files)
        if chance.random() < 0.2:
            chance.shuffle(order)
        for name in order:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = chance.choice(KINDS) if chance.random() < 0.03 else 0o100644 << 16
            entry.compress_type = chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
            target.writestr(entry, files[name])
    return buffer.getvalue()


def _change_somewhere(value: object, chance: Random) -> None:
    while True:
        if not isinstance(value, dict | list) or not value:
            return
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = chance.choice(keys)
        inner = value[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.7:
            value = inner
            continue
        match chance.randrange(3):
            case 0:
                value[key] = chance.choice(VALUES)
            case 1 if isinstance(value, dict):
                value[str(chance.choice(("extra", "__proto__", "id", "tools")))] = chance.choice(VALUES)
            case _:
                del value[key]
        return
