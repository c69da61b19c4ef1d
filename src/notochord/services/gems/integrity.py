"""Compares the files of an installed gem with what they were at installation (PKG-075 to PKG-084)."""

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.gems.manifest import FileRecord
from notochord.services.gems.names import is_ignored

FILE_MODE = 0o444
FOLDER_MODE = 0o555

_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Trace:
    """What tells an untouched file from a touched one without reading it (GEMOPEN-079)."""

    size: int
    modified: int
    changed: int
    inode: int


class Inspection:
    """The files of one installation: read whole once, then compared by their traces before each use.

    Both methods do blocking work and raise NotochordError(FILES_CHANGED) naming the first file that differs.
    """

    def __init__(self, folder: Path, files: Mapping[str, FileRecord]) -> None:
        self._folder = folder
        self._files = files
        self._traces: dict[str, Trace] | None = None

    def check(self) -> None:
        """Check that every file is as recorded, reading those whose trace is new."""
        known = self._traces or {}
        self._traces = None
        traces = _traces(self._folder)
        self._compare_names(traces)
        for path, trace in traces.items():
            if known.get(path) != trace:
                self._compare_content(path)
        self._traces = traces

    def forget(self) -> None:
        """Read every file whole at the next check."""
        self._traces = None

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


def _traces(folder: Path) -> dict[str, Trace]:
    """Return the trace of each file by its path; anything but readable files and folders is a change."""
    traces: dict[str, Trace] = {}
    pending = [""]
    while pending:
        inner = pending.pop()
        try:
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
                    traces[path] = Trace(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        except FileNotFoundError:
            raise changed(inner or "the folder of the gem", "is missing") from None
        except NotADirectoryError:
            raise changed(inner, "is no folder") from None
    return traces


def _is_left_by_system(path: str, status: os.stat_result) -> bool:
    return is_ignored(path) and stat.S_ISREG(status.st_mode)


def _check_kind(path: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise changed(path, "is no regular file")
    if status.st_nlink != 1:
        raise changed(path, "is also known under another name")
    if os.name != "nt" and stat.S_IMODE(status.st_mode) != FILE_MODE:
        raise changed(path, "may be changed by others than the program")
