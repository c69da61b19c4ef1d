"""Translates what a database or the disk reports into failures that say what to do."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlcipher3.dbapi2 as sqlite

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

_BY_NAME = (
    ("SQLITE_NOTADB", Code.STORE_UNREADABLE),
    ("SQLITE_CANTOPEN", Code.STORE_UNREADABLE),
    ("SQLITE_CORRUPT", Code.STORE_DAMAGED),
    ("SQLITE_FULL", Code.DISK_FULL),
    ("SQLITE_BUSY", Code.STORE_LOCKED),
    ("SQLITE_LOCKED", Code.STORE_LOCKED),
    ("SQLITE_PROTOCOL", Code.STORE_LOCKED),
    ("SQLITE_READONLY", Code.STORE_READ_ONLY),
    ("SQLITE_PERM", Code.STORE_READ_ONLY),
    ("SQLITE_IOERR", Code.DISK_IO),
)
_BY_NUMBER = {
    errno.ENOSPC: Code.DISK_FULL,
    errno.EDQUOT: Code.DISK_FULL,
    errno.EROFS: Code.STORE_READ_ONLY,
    errno.EACCES: Code.STORE_READ_ONLY,
    errno.EPERM: Code.STORE_READ_ONLY,
}


def as_failure(error: BaseException, path: Path) -> NotochordError:
    """Translate the error of a database or of the system; the file is as it was before the failed step.

    What is neither trouble with the file nor with the disk is this program's own fault: INTERNAL.
    """
    if isinstance(error, OSError):
        code = _BY_NUMBER.get(error.errno or 0, Code.DISK_IO)
        return NotochordError(code, Fault.SYSTEM, error.strerror or type(error).__name__, path=path.name)
    name = str(getattr(error, "sqlite_errorname", ""))
    code = next((code for start, code in _BY_NAME if name.startswith(start)), Code.INTERNAL)
    fault = Fault.BUG if code is Code.INTERNAL else Fault.SYSTEM
    return NotochordError(code, fault, f"{error} ({name})" if name else str(error), path=path.name)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise the errors of the database and of the system as NotochordError."""
    try:
        yield
    except (sqlite.Error, OSError) as error:
        raise as_failure(error, path) from error
