"""Makes a list of the store from packages, for whoever publishes one; the program's own list is made so too."""

import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from notochord.core.strict_json import Json, decode
from notochord.services.store.index import FORMAT

Texts = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Name and description by gem and language."""


def make_index(packages: Sequence[Path], texts: Texts) -> bytes:
    """Return a list of these packages, whose addresses are their names. Blocks. Raises OSError, ValueError, KeyError.

    The packages are one's own: they are read without the care that a stranger's would need.
    """
    gems: list[Json] = [_entry(package, texts) for package in packages]
    return (json.dumps({"format": FORMAT, "gems": gems}, ensure_ascii=False, indent=1) + "\n").encode()


def _entry(package: Path, texts: Texts) -> Json:
    content = package.read_bytes()
    with zipfile.ZipFile(package) as archive:
        manifest, signature = decode(archive.read("notochord.json")), decode(archive.read("SIGNATURE.json"))
        documents: dict[str, Json] = {
            name: archive.read(name).decode()
            for name in sorted(archive.namelist())
            if name.startswith("docs/") and name.endswith(".md")
        }
    identifier = str(manifest["id"]) if isinstance(manifest, dict) else ""
    said: dict[str, Json] = {language: dict(one) for language, one in texts.get(identifier, {}).items()}
    return {
        "manifest": manifest,
        "signature": signature,
        "package": package.name,
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "texts": said,
        "documents": documents,
    }
