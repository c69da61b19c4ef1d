"""Puts, moves and removes files at places: always the old or the new, and nothing is overwritten unasked."""

import errno
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from notochord.services.files.failures import exists, missing, outside
from notochord.services.files.places import (
    Place,
    at,
    create,
    flush_names,
    inside,
    is_link,
    look,
    open_for_reading,
)

CHUNK = 1_048_576
NEW_FILE = 0o666  # less the user's umask

UNFINISHED = re.compile(r"\.notochord-[0-9a-f]{16}\.part")
_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.ENOTSUP, errno.EACCES}


@dataclass(frozen=True, slots=True)
class Attributes:
    """What is put on a file with its content: permission bits, and the time of change in nanoseconds (0: now)."""

    mode: int
    modified: int = 0

    @classmethod
    def of(cls, found: os.stat_result) -> "Attributes":
        return cls(stat.S_IMODE(found.st_mode), found.st_mtime_ns)


class Summed:
    """Passes chunks on and sums them up."""

    def __init__(self, content: Iterable[bytes]) -> None:
        self._content = content
        self._sum = hashlib.sha256()

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._content:
            self._sum.update(chunk)
            yield chunk

    def digest(self) -> str:
        """Return the SHA-256 of what has passed."""
        return self._sum.hexdigest()

    def finish(self) -> str:
        """Let everything pass and return its SHA-256."""
        for _ in self:
            pass
        return self.digest()


def chunks(place: Place) -> Iterator[bytes]:
    """Yield the content of a file. Raises OSError, PATH_OUTSIDE, PATH_INVALID."""
    with os.fdopen(open_for_reading(place), "rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def digest(place: Place) -> str:
    """Return the SHA-256 of a file, "" if there is nothing, "folder" for a folder."""
    found = look(place)
    if found is None:
        return ""
    if stat.S_ISDIR(found.st_mode):
        return "folder"
    return Summed(chunks(place)).finish()


def walk(place: Place) -> Iterator[tuple[Place, tuple[str, ...], os.stat_result]]:
    """Yield everything below a folder, a folder before what is in it; each place is good until the next is asked for.

    Links, devices and pipes are yielded as they are and not followed.
    """
    with inside(place) as found:
        for child in found:
            status = os.stat(child.name, dir_fd=child.folder, follow_symlinks=False)
            yield child, (child.path.name,), status
            if stat.S_ISDIR(status.st_mode) and not is_link(status):
                for below, parts, inner in walk(child):
                    yield below, (child.path.name, *parts), inner


def fingerprint(place: Place) -> str:
    """Return a short text that differs after a change; it reads sizes and times, not contents.

    What a kill left unfinished does not count.
    """
    found = look(place)
    if found is None:
        return ""
    if not stat.S_ISDIR(found.st_mode):
        return f"{found.st_size}:{found.st_mtime_ns}"
    summed = hashlib.sha256()
    for _, parts, status in walk(place):
        if UNFINISHED.fullmatch(parts[-1]):
            continue
        folder = stat.S_ISDIR(status.st_mode)
        size = "" if folder else f"{status.st_size}:{status.st_mtime_ns}"
        summed.update(f"{'/'.join(parts)}\0{size}\0".encode("utf-8", "surrogateescape"))
    return f"folder:{summed.hexdigest()}"


def put(
    place: Place,
    content: Iterable[bytes],
    *,
    attributes: Attributes | None = None,
    replace: bool = True,
    record: str = "",
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Write a file whole: to a name beside it, flushed, then renamed; durable on return. Raises OSError, FILE_EXISTS.

    `record` is the id of the change that is made: what a kill leaves is found by it (`drop_unfinished`). `ready` is
    called when the content is on the disk and nothing has been replaced yet; it may raise to stop.
    """
    if record:
        drop_unfinished(place, record)
    with _unfinished(_beside(place, record), content, attributes) as unfinished:
        ready()
        if replace:
            os.replace(unfinished.name, place.name, src_dir_fd=unfinished.folder, dst_dir_fd=place.folder)
        else:
            claim(unfinished, place)
    flush_names(place)


def claim(source: Place, target: Place) -> None:
    """Give a file another name on the same disk; a target that exists is never overwritten. Raises FILE_EXISTS."""
    try:
        _link(source, target)
    except FileExistsError:
        raise exists(target.path.name) from None
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        try:
            os.close(create(target, NEW_FILE))  # holds the name, then gives way
        except FileExistsError:
            raise exists(target.path.name) from None
        os.replace(source.name, target.name, src_dir_fd=source.folder, dst_dir_fd=target.folder)


def move(source: Place, target: Place, record: str = "") -> None:
    """Move a file or a folder, also to another disk. Raises OSError, FILE_MISSING, FILE_EXISTS, PATH_OUTSIDE.

    `record` is the id of the change, as for `put`. A kill can leave both ends; one is then a remnant (`is_remnant`).
    """
    found = look(source)
    if found is None:
        raise missing(source.path.name)
    if look(target) is not None:
        raise exists(target.path.name)
    try:
        if stat.S_ISDIR(found.st_mode):
            os.rename(source.name, target.name, src_dir_fd=source.folder, dst_dir_fd=target.folder)
        else:
            claim(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _copy(source, target, found, record)
        remove(source)
    flush_names(target)
    flush_names(source)


def is_remnant(left: Place, whole: Place) -> bool:
    """Tell whether a move that was cut off left this: everything in it is at `whole` too, or unfinished."""
    found, other = look(left), look(whole)
    if found is None or other is None or stat.S_ISDIR(found.st_mode) != stat.S_ISDIR(other.st_mode):
        return False
    if not stat.S_ISDIR(found.st_mode):
        return _adds_nothing(left.path.name, found, other)
    known = {parts: status for _, parts, status in walk(whole)}
    return all(_adds_nothing(parts[-1], status, known.get(parts)) for _, parts, status in walk(left))


def drop_unfinished(place: Place, record: str) -> None:
    """Delete what a kill left of the content that a change was about to put at `place`. Raises OSError."""
    unfinished = _beside(place, record)
    with suppress(FileNotFoundError):
        os.unlink(unfinished.name, dir_fd=unfinished.folder)


def remove(place: Place) -> None:
    """Delete a file, or a folder with everything in it; links in it are deleted, not followed. Raises OSError."""
    found = look(place)
    if found is None:
        raise missing(place.path.name)
    if stat.S_ISDIR(found.st_mode):
        shutil.rmtree(place.name, dir_fd=place.folder)
    else:
        os.unlink(place.name, dir_fd=place.folder)
    flush_names(place)


def _link(source: Place, target: Place) -> None:
    if os.name == "nt":
        source.path.rename(target.path)  # refuses a target that exists
        return
    os.link(source.name, target.name, src_dir_fd=source.folder, dst_dir_fd=target.folder, follow_symlinks=False)
    os.unlink(source.name, dir_fd=source.folder)


def _beside(place: Place, record: str) -> Place:
    number = hashlib.sha256(record.encode()).hexdigest()[:16] if record else os.urandom(8).hex()
    return place.beside(f".notochord-{number}.part")


def _adds_nothing(name: str, found: os.stat_result, other: os.stat_result | None) -> bool:
    """Tell whether what was `found` under `name` is the `other` again, or was only about to become it."""
    if UNFINISHED.fullmatch(name):
        return True
    if other is None or stat.S_IFMT(found.st_mode) != stat.S_IFMT(other.st_mode):
        return False
    if not stat.S_ISREG(found.st_mode):
        return stat.S_ISDIR(found.st_mode)
    # An empty file holds a name for what was to come (`claim`).
    return found.st_size == 0 or (found.st_size, found.st_mtime_ns) == (other.st_size, other.st_mtime_ns)


@contextmanager
def _unfinished(unfinished: Place, content: Iterable[bytes], attributes: Attributes | None) -> Iterator[Place]:
    """Write the content at `unfinished`, durably; what is left of it in the end is deleted."""
    try:
        with os.fdopen(create(unfinished, NEW_FILE), "wb") as file:
            for chunk in content:
                file.write(chunk)
            file.flush()
            if attributes is not None:
                _dress(file.fileno(), unfinished, attributes)
            os.fsync(file.fileno())
        yield unfinished
    finally:
        with suppress(FileNotFoundError):
            os.unlink(unfinished.name, dir_fd=unfinished.folder)


def _dress(descriptor: int, place: Place, attributes: Attributes) -> None:
    times = (attributes.modified, attributes.modified)
    if os.utime in os.supports_fd:
        os.fchmod(descriptor, attributes.mode)
        if attributes.modified:
            os.utime(descriptor, ns=times)
    else:
        place.path.chmod(attributes.mode)
        if attributes.modified:
            os.utime(place.name, ns=times)


def _copy(source: Place, target: Place, found: os.stat_result, record: str) -> None:
    """Copy to another disk; a link anywhere in it stops the copy, and what was copied is deleted again."""
    if not stat.S_ISDIR(found.st_mode):
        put(target, chunks(source), attributes=Attributes.of(found), replace=False, record=record)
        return
    os.mkdir(target.name, dir_fd=target.folder)
    try:
        for child, parts, status in walk(source):
            with _below(target, parts) as copied:
                if is_link(status):
                    raise outside(child.path.name)
                if stat.S_ISDIR(status.st_mode):
                    os.mkdir(copied.name, dir_fd=copied.folder)
                else:
                    put(copied, chunks(child), attributes=Attributes.of(status), replace=False, record=record)
    except BaseException:
        remove(target)
        raise


@contextmanager
def _below(folder: Place, parts: tuple[str, ...]) -> Iterator[Place]:
    with at(folder.path, parts) as place:
        yield place


def remove_if_empty(place: Place) -> bool:
    """Delete a folder if nothing is in it, and tell whether it is gone."""
    try:
        os.rmdir(place.name, dir_fd=place.folder)
    except OSError:
        return look(place) is None
    return True
