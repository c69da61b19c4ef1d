"""The blocking half of looking at files and folders."""

import os
import stat
from collections.abc import Iterator

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.files import content, paths
from notochord.services.files.api import Entry, EntryType, Root
from notochord.services.files.failures import missing
from notochord.services.files.places import Place, at, inside, is_link, look, open_for_reading


def entries(root: Root, path: str) -> list[Entry]:
    """Return what can be reached in a folder, by name; links and names that no path can say are left out."""
    parts = paths.parse(path, hide_dots=root.hide_dots)
    with at(root.folder, parts) as place:
        found = look(place)
        if found is None:
            raise missing(path)
        if not stat.S_ISDIR(found.st_mode):
            raise NotochordError(Code.PATH_INVALID, Fault.USER, "this is a file, no folder", path=path)
        with inside(place) as children:
            return [entry for child in children if (entry := _entry(child, root)) is not None]


def entry(root: Root, path: str) -> Entry | None:
    """Return one item, None if it is not there."""
    parts = paths.parse(path, hide_dots=root.hide_dots)
    try:
        with at(root.folder, parts) as place:
            found = look(place)
            return None if found is None else _as_entry(parts[-1] if parts else "", found)
    except (FileNotFoundError, NotADirectoryError):
        return None


def read(root: Root, path: str, max_bytes: int) -> bytes:
    """Return the content of a file of at most `max_bytes`. Raises FILE_MISSING, PAYLOAD_TOO_LARGE, OSError."""
    parts = paths.parse(path, hide_dots=root.hide_dots)
    with at(root.folder, parts) as place, os.fdopen(_opened(place, path), "rb") as file:
        found = file.read(max_bytes + 1)
    if len(found) > max_bytes:
        detail = f"the file is larger than {max_bytes} bytes"
        raise NotochordError(
            Code.PAYLOAD_TOO_LARGE, Fault.USER, detail, path=path, limit=max_bytes, why="why.file_too_large"
        )
    return found


def files_below(root: Root, path: str, *, with_dots: bool) -> Iterator[tuple[str, Place, os.stat_result]]:
    """Yield (path, place, status) of every file below a folder that can be reached; a place is good until the next."""
    parts = paths.parse(path, hide_dots=root.hide_dots)
    with at(root.folder, parts) as place:
        if look(place) is None:
            raise missing(path)
        for child, below, status in content.walk(place):
            hidden = not with_dots and any(part.startswith(".") for part in below)
            if stat.S_ISREG(status.st_mode) and not is_link(status) and not hidden and _reachable(below, root):
                yield "/".join((*parts, *below)), child, status


def _opened(place: Place, path: str) -> int:
    found = look(place)
    if found is None:
        raise missing(path)
    if stat.S_ISDIR(found.st_mode):
        raise NotochordError(Code.PATH_INVALID, Fault.USER, "this is a folder; list it instead", path=path)
    return open_for_reading(place)


def _entry(child: Place, root: Root) -> Entry | None:
    if not _reachable((child.path.name,), root) or content.UNFINISHED.fullmatch(child.path.name):
        return None
    try:
        found = os.stat(child.name, dir_fd=child.folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    ordinary = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
    return _as_entry(child.path.name, found) if ordinary and not is_link(found) else None


def _reachable(parts: tuple[str, ...], root: Root) -> bool:
    try:
        return paths.parse("/".join(parts), hide_dots=root.hide_dots) == parts
    except NotochordError:
        return False


def _as_entry(name: str, found: os.stat_result) -> Entry:
    folder = stat.S_ISDIR(found.st_mode)
    kind = EntryType.FOLDER if folder else EntryType.FILE
    return Entry(name, kind, 0 if folder else found.st_size, found.st_mtime_ns // 1_000_000)
