"""Looks for a secret in files: as it is, and in the spellings in which secrets leak unseen."""

import base64
import json
from pathlib import Path
from urllib.parse import quote

CHUNK = 1 << 20


def spellings_of(marker: bytes) -> dict[str, bytes]:
    """Return each spelling by its name; base64 for each of the three places at which a text can start in it."""
    text = marker.decode(errors="surrogateescape")
    found = {
        "plain": marker,
        "hex": marker.hex().encode(),
        "HEX": marker.hex().upper().encode(),
        "reversed": marker[::-1],
        "utf-16": text.encode("utf-16-le", "surrogatepass"),
        "percent": quote(marker, safe="").encode(),
        "json": json.dumps(text)[1:-1].encode(),
    }
    for shift in range(3):
        whole = base64.b64encode(bytes(shift) + marker)
        inner = whole[(0, 2, 3)[shift] : (shift + len(marker)) * 8 // 6]
        found[f"base64+{shift}"] = inner
        found[f"base64url+{shift}"] = inner.translate(bytes.maketrans(b"+/", b"-_"))
    return found


def leaks_in(content: bytes, marker: bytes) -> list[str]:
    """Return the names of the spellings of `marker` that `content` holds."""
    return [name for name, spelling in spellings_of(marker).items() if spelling in content]


def leaks_below(folder: Path, marker: bytes) -> list[str]:
    """Return "file: spelling" for each file below `folder` (or its name) that holds `marker`."""
    spellings = spellings_of(marker)
    found = []
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        found += [f"{name}: {kind} in the name" for kind in leaks_in(name.encode(), marker)]
        if path.is_file() and not path.is_symlink():
            found += [f"{name}: {kind}" for kind in _leaks_in_file(path, spellings)]
    return found


def _leaks_in_file(path: Path, spellings: dict[str, bytes]) -> list[str]:
    overlap = max(len(spelling) for spelling in spellings.values())
    found: set[str] = set()
    tail = b""
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            window = tail + chunk
            found.update(name for name, spelling in spellings.items() if spelling in window)
            tail = window[-overlap:]
    return sorted(found)
