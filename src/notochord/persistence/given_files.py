"""Opens files that a person named: one that is no file keeps nobody waiting."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def open_given(path: Path) -> BinaryIO:
    """Open an ordinary file for reading. Raises OSError, also for a pipe (which could wait for ever) or a device."""
    descriptor = os.open(path, _READ)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileNotFoundError(2, "this is not an ordinary file", str(path))
    return os.fdopen(descriptor, "rb")
