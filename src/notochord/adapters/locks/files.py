"""Locks on files that the system frees when their process ends."""

import os
import sys
from pathlib import Path

from notochord.services.organizations.ports import HeldLock

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FAR = 1 << 30
"""Windows keeps others from reading what is locked, so the byte that is locked lies behind the process id."""


class FileLock:
    """A lock that this process has; its file holds the process id for those who come later."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class FileLocks:
    """Implements `Locks` with flock, on Windows with a locked byte.

    Children do not inherit the lock: descriptors are closed when they start.
    """

    def take(self, file: Path) -> HeldLock | int:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not _lock(descriptor):
                return _holder(descriptor)
            if not _is_at(descriptor, file):  # removed, and perhaps made anew, while we waited for it
                raise FileNotFoundError(str(file))
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, str(os.getpid()).encode())
            lock = FileLock(descriptor)
            descriptor = -1
            return lock
        finally:
            if descriptor >= 0:
                os.close(descriptor)


def _lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _is_at(descriptor: int, file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), file.stat())
    except FileNotFoundError:
        return False


def _holder(descriptor: int) -> int:
    os.lseek(descriptor, 0, os.SEEK_SET)
    text = os.read(descriptor, 20)
    return int(text) if text.isdigit() else 0
