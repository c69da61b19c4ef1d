"""Compares the files of an installed gem with what they were at installation (PKG-075 to PKG-084)."""

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from notochord.core.clock import Clock, SystemClock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.gems.manifest import FileRecord
from notochord.services.gems.names import is_ignored

FILE_MODE = 0o444
FOLDER_MODE = 0o555

AT_ONCE = 64
"""Files and folders whose traces are asked for on the loop: a thread would cost more."""

_CHUNK = 1024 * 1024


SETTLING = 100_000_000
"""Nanoseconds after a change in which another one may get the same time from the system."""

Trace = tuple[int, int, int, int, int]
"""What tells an untouched file or folder from a touched one without reading it (GEMOPEN-079): its number, its size,
the time of its content, that of its last change of any kind, which nobody can set, and its mode."""


class Inspection:
    """The files of one installation: read whole once, then compared by their traces before each use.

    Nothing is skipped because it was looked at a moment ago: each check asks the system for the trace of every file and
    every folder. One that changed so lately that a further change could leave the same trace is read again.

    `check` does blocking work and raises NotochordError(FILES_CHANGED) naming the first file that differs.
    """

    def __init__(self, folder: Path, files: Mapping[str, FileRecord], *, clock: Clock | None = None) -> None:
        self._folder = folder
        self._files = files
        self._clock = clock or SystemClock()  # that of the file system's own times
        self._traces: dict[str, Trace] | None = None
        self._standing: list[tuple[str, Trace]] = []
        """Every file and folder with its trace, if all of them have settled."""

    def is_quickly_sound(self) -> bool:
        """Check a gem of few files at once; False tells nothing but that `check` has to look."""
        return 0 < len(self._standing) <= AT_ONCE and _unchanged(self._standing)

    def check(self) -> None:
        """Check that every file is as recorded, reading those whose trace is new."""
        if not self._standing or not _unchanged(self._standing):
            self._check_whole()

    def forget(self) -> None:
        """Read every file whole at the next check."""
        self._traces = None
        self._standing = []

    def _check_whole(self) -> None:
        known = self._traces or {}
        self.forget()
        began = self._clock.milliseconds() * 1_000_000
        files, folders = _traces(self._folder)
        self._compare_names(files)
        for path, trace in files.items():
            if known.get(path) != trace:
                self._compare_content(path)
        settled = {path: trace for path, trace in files.items() if _last_change(trace) < began - SETTLING}
        self._traces = settled
        if len(settled) == len(files) and all(_last_change(trace) < began - SETTLING for trace in folders.values()):
            every = {**folders, **files}
            self._standing = [(os.path.join(self._folder, path), trace) for path, trace in every.items()]  # noqa: PTH118

    def _compare_names(self, traces: Iterable[str]) -> None:
        found = set(traces)
        if extra := min(found - self._files.keys(), default=""):
            raise changed(extra, "is not part of the gem")
        if missing := min(self._files.keys() - found, default=""):
            raise changed(missing, "is missing")

    def _compare_content(self, path: str) -> None:
        record = self._files[path]
        size, digest = digest_of(self._folder / path)
        if (size, digest) != (record.size, record.sha256):
            raise changed(path, "has other content")


def digest_of(path: Path) -> tuple[int, str]:
    """Return size and SHA-256 of a file, reading it in pieces."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return size, digest.hexdigest()


def changed(path: str, what: str) -> NotochordError:
    return NotochordError(Code.FILES_CHANGED, Fault.USER, f"{path} {what}", path=path)


def _unchanged(standing: Sequence[tuple[str, Trace]]) -> bool:
    """Tell whether every trace is what it was; a file that was added or taken away changes that of its folder."""
    look = os.lstat
    try:
        for path, (number, size, written, changed_at, mode) in standing:
            found = look(path)
            if (
                found.st_ino != number
                or found.st_size != size
                or found.st_mtime_ns != written
                or found.st_ctime_ns != changed_at
                or found.st_mode != mode
            ):
                return False
    except OSError:
        return False
    return True


def _trace(status: os.stat_result) -> Trace:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode


def _last_change(trace: Trace) -> int:
    return max(trace[2], trace[3])


def _traces(folder: Path) -> tuple[dict[str, Trace], dict[str, Trace]]:
    """Return the traces of the files and of the folders; anything but readable files and folders is a change."""
    files: dict[str, Trace] = {}
    folders: dict[str, Trace] = {}
    pending = [""]
    while pending:
        inner = pending.pop()
        try:
            folders[inner] = _trace((folder / inner).lstat())
            with os.scandir(folder / inner) as entries:
                for entry in entries:
                    path = f"{inner}/{entry.name}" if inner else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(path)
                        continue
                    status = entry.stat(follow_symlinks=False)
                    if _is_left_by_system(path, status):
                        continue
                    _check_kind(path, status)
                    files[path] = _trace(status)
        except FileNotFoundError:
            raise changed(inner or "the folder of the gem", "is missing") from None
        except NotADirectoryError:
            raise changed(inner, "is no folder") from None
    return files, folders


def _is_left_by_system(path: str, status: os.stat_result) -> bool:
    return is_ignored(path) and stat.S_ISREG(status.st_mode)


def _check_kind(path: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise changed(path, "is no regular file")
    if status.st_nlink != 1:
        raise changed(path, "is also known under another name")
    if os.name != "nt" and stat.S_IMODE(status.st_mode) != FILE_MODE:
        raise changed(path, "may be changed by others than the program")
