"""Writes files so that a reader finds the old content or the new, never a part, whenever the machine stops."""

import os
import secrets
from pathlib import Path
from typing import BinaryIO

PRIVATE = 0o600


class UnfinishedFile:
    """New content for `path` under a temporary name in the same folder, written piece by piece.

    Nothing is at the temporary name before the first `write`; `keep` or `drop` ends it, and `drop` may be repeated.
    """

    def __init__(self, path: Path, *, mode: int = PRIVATE) -> None:
        self._path = path
        self._mode = mode
        self._unfinished = path.with_name(f".{secrets.token_hex(8)}.part")
        self._file: BinaryIO | None = None

    def write(self, content: bytes) -> None:
        """Add to the content. Raises OSError."""
        self._opened().write(content)

    def keep(self) -> None:
        """Put the content in place of the file, durable on return. Raises OSError, the file untouched."""
        file = self._opened()
        file.flush()
        os.fsync(file.fileno())
        file.close()
        self._unfinished.replace(self._path)
        flush_folder(self._path.parent)

    def drop(self) -> None:
        """Leave the file as it is."""
        if self._file is not None:
            self._file.close()
            self._unfinished.unlink(missing_ok=True)

    def _opened(self) -> BinaryIO:
        if self._file is None:
            descriptor = os.open(self._unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, self._mode)
            self._file = os.fdopen(descriptor, "wb")
        return self._file


def write_atomically(path: Path, content: bytes, *, mode: int = PRIVATE) -> None:
    """Put `content` in place of `path`, durable on return; parent folders must exist. Raises OSError, path untouched.

    The content goes to a temporary name in the same folder, is flushed to the disk, and renamed.
    """
    file = UnfinishedFile(path, mode=mode)
    try:
        file.write(content)
        file.keep()
    except BaseException:
        file.drop()
        raise


def flush_folder(folder: Path) -> None:
    """Make the names in `folder` durable, where the system lets a folder be opened."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
