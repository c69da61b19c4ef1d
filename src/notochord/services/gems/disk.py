"""Translates what the file system refuses into errors that say what to do."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


@contextmanager
def disk_failures() -> Iterator[None]:
    """Raise NotochordError(DISK_FULL or DISK_IO) in place of an OSError."""
    try:
        yield
    except OSError as error:
        code = Code.DISK_FULL if error.errno in _FULL else Code.DISK_IO
        raise NotochordError(code, Fault.SYSTEM, error.strerror or str(error), path=_place(error)) from error


def _place(error: OSError) -> str:
    """Return which file it was, as the user's own system names it, or else whose files these are."""
    return error.filename if isinstance(error.filename, str) else "gems"
