"""Reaches a name below a root without ever following a link, also while somebody swaps folders for links.

On POSIX each folder on the way is opened by its name in the folder before it, never through a link, and held open;
what is done to the last name is done in that folder. Where the system has no such calls (Windows), each component is
looked at before the whole path is used.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from notochord.services.files.failures import no_file, outside

HOLDS_FOLDERS = os.open in os.supports_dir_fd and os.name != "nt"

_CLOSED = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_READ = os.O_RDONLY | _CLOSED | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOSED | getattr(os, "O_BINARY", 0)
_NAME_SURROGATE = 0x2000_0000  # reparse tags that stand for another place: links and junctions, not cloud files


@dataclass(frozen=True, slots=True)
class Place:
    """A name in a folder that is held open; without such folders (`folder` None) `name` is the whole path."""

    folder: int | None
    name: str
    path: Path
    """For messages and for the trash."""
    made: int = 0
    """How many parent folders were made on the way."""

    def beside(self, name: str) -> "Place":
        """Return another name in the same folder."""
        path = self.path.with_name(name)
        return Place(self.folder, name if self.folder is not None else str(path), path)


@contextmanager
def at(root: Path, parts: tuple[str, ...], *, make: bool = False) -> Iterator[Place]:
    """Hold the folder of the last of `parts` open; with `make`, missing parents are made. Raises OSError, PATH_OUTSIDE.

    Without parts the place is the root itself.
    """
    if not HOLDS_FOLDERS:
        yield _checked(root, parts, make)
        return
    made = 0
    descriptor = os.open(root, _FOLDER)
    try:
        for part in parts[:-1]:
            if make:
                made += _make(part, descriptor)
            following = _enter(descriptor, part)
            os.close(descriptor)
            descriptor = following
        yield Place(descriptor, parts[-1] if parts else ".", root.joinpath(*parts), made)
    finally:
        os.close(descriptor)


def make_folders(root: Path, parts: tuple[str, ...]) -> None:
    """Make a folder and its parents; what exists stays. Raises OSError, PATH_OUTSIDE."""
    with at(root, (*parts, "-"), make=True):
        pass  # a folder is a parent of any name in it


@contextmanager
def inside(place: Place) -> Iterator[list[Place]]:
    """Hold the folder at `place` open and give the places of what is in it, by name. Raises OSError, PATH_OUTSIDE."""
    if place.folder is None:
        look(place)
        yield [Place(None, str(path), path) for path in sorted(place.path.iterdir())]
        return
    descriptor = _enter(place.folder, place.name)
    try:
        yield [Place(descriptor, name, place.path / name) for name in sorted(os.listdir(descriptor))]  # noqa: PTH208
    finally:
        os.close(descriptor)


def leads_to(place: Place) -> bool:
    """Tell whether the path of `place` leads to its folder still, not through a link that was put there meanwhile."""
    if place.folder is None:
        return True
    try:
        return os.path.samestat(os.stat(place.path.parent), os.fstat(place.folder))  # noqa: PTH116
    except OSError:
        return False


def look(place: Place) -> os.stat_result | None:
    """Return what is at `place`, None for nothing. Raises PATH_OUTSIDE for a link, PATH_INVALID for a device."""
    try:
        found = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if is_link(found):
        raise outside(place.path.name)
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise no_file(place.path.name)
    return found


def is_taken(place: Place) -> bool:
    """Tell whether anything has this name, a link included."""
    try:
        os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def is_link(found: os.stat_result) -> bool:
    """Tell whether the item stands for another place: a symbolic link, or a junction of Windows."""
    return stat.S_ISLNK(found.st_mode) or bool(getattr(found, "st_reparse_tag", 0) & _NAME_SURROGATE)


def open_for_reading(place: Place) -> int:
    """Return a descriptor of the file at `place`. Raises OSError, PATH_OUTSIDE, PATH_INVALID unless it is a file."""
    if place.folder is None:
        look(place)
    try:
        descriptor = os.open(place.name, _READ, dir_fd=place.folder)
    except OSError:
        look(place)  # says that it is a link, if it is one
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise no_file(place.path.name)
    return descriptor


def create(place: Place, mode: int) -> int:
    """Make a new file and return its descriptor for writing. Raises FileExistsError, OSError."""
    return os.open(place.name, _CREATE, mode, dir_fd=place.folder)


def flush_names(place: Place) -> None:
    """Make the names in the place's folder durable, where the system lets a folder be flushed."""
    if place.folder is not None:
        os.fsync(place.folder)


def _enter(descriptor: int, name: str) -> int:
    try:
        return os.open(name, _FOLDER | _CLOSED, dir_fd=descriptor)
    except OSError:
        with_link = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
        if is_link(with_link):
            raise outside(name) from None
        raise


def _make(name: str, descriptor: int | None) -> int:
    try:
        os.mkdir(name, dir_fd=descriptor)
    except FileExistsError:
        return 0
    if descriptor is not None:
        os.fsync(descriptor)
    return 1


def _checked(root: Path, parts: tuple[str, ...], make: bool) -> Place:
    path, made = root, 0
    root.stat()
    for part in parts[:-1]:
        path = path / part
        if make:
            made += _make(str(path), None)
        found = path.lstat()
        if is_link(found):
            raise outside(part)
        if not stat.S_ISDIR(found.st_mode):
            raise NotADirectoryError(20, "no folder", str(path))
    whole = root.joinpath(*parts)
    return Place(None, str(whole), whole, made)
