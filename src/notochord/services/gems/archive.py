"""Unpacks a hostile package: everything about it is judged before the first byte is written."""

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import decode
from notochord.persistence.given_files import open_given
from notochord.services.gems.names import GENERATED, MANIFEST, SIGNATURE, fault_of, folded, is_ignored
from notochord.services.gems.zip_layout import LayoutError, ZipEntry, content, read_directory

MAX_FILES = 10_000
MAX_ENTRIES = 20_000
"""Files, folders and what is skipped, all together."""

MAX_TOTAL_BYTES = 500 * 1024 * 1024
MAX_FILE_BYTES = 100 * 1024 * 1024
MAX_MANIFEST_BYTES = 4 * 1024 * 1024
MAX_SIGNATURE_BYTES = 4 * 1024
MAX_RATIO = 100
RATIO_FREE_BYTES = 1024 * 1024
"""Below this size a file may be packed more tightly than MAX_RATIO, as short regular files are."""

_WINDOWS_LINK = 0x400


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A package in a scratch folder: its content lies in `folder`, as regular files only."""

    folder: Path
    manifest: bytes
    signature: bytes | None
    files: frozenset[str]
    """Every file but the manifest and the signature."""


def unpack(package: Path, folder: Path) -> Unpacked:
    """Judge `package`, then write its content into the existing empty `folder`.

    Raises NotochordError: PATH_TRAVERSAL (a path or kind of file that no package may hold, too many files),
    PACKAGE_INVALID (no sound zip, or one that lies), SIZE_MISMATCH (more than `integrity` or this program allows),
    FILE_MISSING (no such package, or it may not be read), INPUT_INVALID (a folder).
    """
    try:
        with _opened(package) as file:
            entries = _judge(read_directory(file, max_entries=MAX_ENTRIES))
            manifest = _read(file, entries, MANIFEST, MAX_MANIFEST_BYTES)
            if manifest is None:
                raise _invalid(f"{MANIFEST} is missing")
            signature = _read(file, entries, SIGNATURE, MAX_SIGNATURE_BYTES)
            _check_total(manifest, entries)
            for path, entry in entries.items():
                _extract(file, entry, folder / path)
    except LayoutError as error:
        raise _invalid(str(error)) from error
    return Unpacked(folder, manifest, signature, frozenset(entries) - GENERATED)


def _opened(package: Path) -> BinaryIO:
    try:
        return open_given(package)
    except OSError as error:
        if package.is_dir():
            detail = f"{package.name} is a folder; what is installed is a packed gem, a file"
            raise NotochordError(
                Code.INPUT_INVALID, Fault.USER, detail, path=str(package), why="why.gem_folder"
            ) from error
        detail = f"{package.name}: {error.strerror}"
        raise NotochordError(Code.FILE_MISSING, Fault.USER, detail, path=str(package)) from error


def _judge(entries: list[ZipEntry]) -> dict[str, ZipEntry]:
    """Return the entries that are to be written, by path, after looking at all of them."""
    names = _Names()
    files: dict[str, ZipEntry] = {}
    for entry in entries:
        path = entry.name.removesuffix("/") if entry.is_folder else entry.name
        _judge_entry(entry, path)
        if is_ignored(path) and not entry.is_folder:
            continue
        names.add(path, is_folder=entry.is_folder)
        if not entry.is_folder:
            files[path] = entry
    if len(files) > MAX_FILES:
        raise _traversal(f"more than {MAX_FILES} files")
    if sum(entry.size for entry in files.values()) > MAX_TOTAL_BYTES:
        raise _too_large("the package", MAX_TOTAL_BYTES)
    return files


def _judge_entry(entry: ZipEntry, path: str) -> None:
    if not entry.name.isascii() and not entry.name_is_utf8:
        raise _traversal(f"a name that is not marked as UTF-8: {entry.name!r}")
    if fault := fault_of(path):
        raise _traversal(f"{fault}: {entry.name!r}")
    kind = stat.S_IFMT(entry.attributes >> 16)
    if kind not in {0, stat.S_IFDIR if entry.is_folder else stat.S_IFREG} or entry.attributes & _WINDOWS_LINK:
        raise _traversal(f"neither a regular file nor a folder: {entry.name!r}")
    if entry.is_folder and entry.size:
        raise _invalid(f"a folder with content: {entry.name!r}")
    if entry.size > MAX_FILE_BYTES:
        raise _too_large(entry.name, MAX_FILE_BYTES)
    if entry.size > RATIO_FREE_BYTES and entry.size > entry.packed * MAX_RATIO:
        raise _invalid(f"packed more tightly than {MAX_RATIO}:1: {entry.name!r}")


class _Names:
    """What was seen so far, under the spelling that the file systems of some computers take for the same name."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, str]] = {}

    def add(self, path: str, *, is_folder: bool) -> None:
        kind, spelling = self._seen.get(folded(path), ("", path))
        if kind and not (is_folder and kind == "parent" and spelling == path):
            raise _traversal(f"two entries with the same name: {path!r}")
        self._seen[folded(path)] = ("folder" if is_folder else "file", path)
        self._add_parents(path)

    def _add_parents(self, path: str) -> None:
        parent = path.rpartition("/")[0]
        while parent:
            kind, spelling = self._seen.setdefault(folded(parent), ("parent", parent))
            if kind == "file" or spelling != parent:
                raise _traversal(f"two entries with the same name: {parent!r}")
            parent = parent.rpartition("/")[0]


def _check_total(manifest: bytes, entries: dict[str, ZipEntry]) -> None:
    """Hold the content against the sizes in `integrity`, not trusted yet and used as a cap only (GEMOPEN-010)."""
    declared = _declared_total(manifest)
    total = sum(entry.size for path, entry in entries.items() if path not in GENERATED)
    if declared is not None and total > declared:
        raise _too_large("the package", declared)


def _declared_total(manifest: bytes) -> int | None:
    try:
        value = decode(manifest)
    except ValueError:
        return None
    integrity = value.get("integrity") if isinstance(value, dict) else None
    files = integrity.get("files") if isinstance(integrity, dict) else None
    if not isinstance(files, dict):
        return None
    sizes = [entry.get("size") for entry in files.values() if isinstance(entry, dict)]
    return sum(size for size in sizes if isinstance(size, int) and size >= 0)


def _read(file: BinaryIO, entries: dict[str, ZipEntry], path: str, limit: int) -> bytes | None:
    entry = entries.get(path)
    if entry is None:
        return None
    if entry.size > limit:
        raise _invalid(f"{path} is over {limit} bytes")
    return b"".join(content(file, entry))


def _extract(file: BinaryIO, entry: ZipEntry, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as written:
        for piece in content(file, entry):
            written.write(piece)


def _too_large(path: str, limit: int) -> NotochordError:
    return NotochordError(Code.SIZE_MISMATCH, Fault.USER, f"{path} is over {limit} bytes", path=path)


def _traversal(reason: str) -> NotochordError:
    return NotochordError(Code.PATH_TRAVERSAL, Fault.USER, reason, reason=reason)


def _invalid(reason: str) -> NotochordError:
    return NotochordError(Code.PACKAGE_INVALID, Fault.USER, reason, reason=reason)
