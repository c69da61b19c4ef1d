"""Packs the folder of a gem into a package: the same content gives the same bytes, whenever and wherever."""

import hashlib
import io
import json
import os
import stat
import zipfile
from pathlib import Path

from nacl.signing import SigningKey

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, decode
from notochord.services.gems.archive import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES
from notochord.services.gems.declarations import DataFaults, data_faults
from notochord.services.gems.manifest import MAX_REPORTED, JsonObject, check_format, invalid
from notochord.services.gems.names import GENERATED, MANIFEST, SIGNATURE, fault_of, folded, is_ignored
from notochord.services.gems.signatures import sign

_MOMENT = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


def pack(draft: Path, *, key: SigningKey | None = None, faults: DataFaults | None = None) -> bytes:
    """Return the package of the gem in `draft`, signed if a key is given.

    The manifest gets its generated parts, `agents` and `integrity`; the rest of the files go in as they are. Whether
    the gem can be installed is for the checks at installation to say; with `faults`, which tells what is wrong with a
    `data` section, that section and the form of the manifest are checked here too (DATA-100). Raises NotochordError:
    PERM_INVALID (no readable manifest, or one that holds a generated part), PATH_TRAVERSAL (a name or kind of file
    that no package may hold), SIZE_MISMATCH (too large).
    """
    files = {path: (draft / path).read_bytes() for path in _files(draft)}
    written = files.pop(MANIFEST, None)
    files.pop(SIGNATURE, None)
    if written is None:
        raise invalid(f"{MANIFEST} is missing")
    manifest = _manifest(written, files)
    content = json.dumps(manifest, ensure_ascii=False, allow_nan=False, indent=2).encode() + b"\n"
    if faults is not None and (lines := data_faults(check_format(content).get("data"), files, faults)):
        raise invalid("\n".join(lines[:MAX_REPORTED]))
    entries = {MANIFEST: content}
    if key is not None:
        entries[SIGNATURE] = sign(content, key, _publisher(manifest))
    return _zip({**entries, **files})


def _manifest(written: bytes, files: dict[str, bytes]) -> JsonObject:
    try:
        manifest = decode(written)
    except ValueError as error:
        raise invalid(f"{MANIFEST} is no JSON: {error}") from error
    if not isinstance(manifest, dict):
        raise invalid(f"{MANIFEST} is no JSON object")
    for part in ("agents", "integrity"):
        if part in manifest:
            raise invalid(f"{part}: is generated and may not be written in {MANIFEST}")
    integrity: JsonObject = {
        path: {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
        for path, content in sorted(files.items())
    }
    agents: list[Json] = []
    return {**manifest, "agents": agents, "integrity": {"files": integrity}}


def _publisher(manifest: JsonObject) -> str:
    author = manifest.get("author")
    publisher = author.get("publisherId") if isinstance(author, dict) else None
    if not isinstance(publisher, str):
        raise invalid("author.publisherId: is missing")
    return publisher


def _files(draft: Path) -> list[str]:
    """Return the paths of all files, in order. Links and other special files are refused, not followed."""
    found: dict[str, str] = {}
    total = 0
    for folder, folders, names in os.walk(draft):
        for name in (*folders, *names):
            place = Path(folder) / name
            path = place.relative_to(draft).as_posix()
            mode = place.lstat().st_mode
            if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
                raise _refused(path, "neither a regular file nor a folder")
            if fault := fault_of(path):
                raise _refused(path, fault)
            if stat.S_ISDIR(mode) or is_ignored(path):
                continue
            if found.setdefault(folded(path), path) != path:
                raise _refused(path, "another file has the same name")
            total += place.lstat().st_size
            if place.lstat().st_size > MAX_FILE_BYTES or total > MAX_TOTAL_BYTES:
                raise NotochordError(Code.SIZE_MISMATCH, Fault.USER, f"{path}: too large", path=path)
    paths = sorted(found.values())
    if len(paths) - len(GENERATED & set(paths)) > MAX_FILES - len(GENERATED):
        raise _refused("", f"more than {MAX_FILES} files")
    return paths


def _zip(entries: dict[str, bytes]) -> bytes:
    """Return a zip without times, owners or anything else that differs from one run to the next."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(entries, key=lambda path: (path not in GENERATED, path)):
            entry = zipfile.ZipInfo(path, _MOMENT)
            entry.create_system = _UNIX
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, entries[path])
    return buffer.getvalue()


def _refused(path: str, reason: str) -> NotochordError:
    detail = f"{reason}: {path!r}"
    return NotochordError(Code.PATH_TRAVERSAL, Fault.USER, detail, reason=detail)
