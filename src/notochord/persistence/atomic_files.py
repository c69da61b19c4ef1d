"""Writes files so that a reader finds the old content or the new, never a part, whenever the machine stops."""

import os
import secrets
from pathlib import Path

PRIVATE = 0o600


def write_atomically(path: Path, content: bytes, *, mode: int = PRIVATE) -> None:
    """Put `content` in place of `path`, durable on return; parent folders must exist. Raises OSError, path untouched.

    The content goes to a temporary name in the same folder, is flushed to the disk, and renamed.
    """
    unfinished = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    flush_folder(path.parent)


def flush_folder(folder: Path) -> None:
    """Make the names in `folder` durable, where the system lets a folder be opened."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
