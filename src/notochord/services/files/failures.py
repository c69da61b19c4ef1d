"""Turns what the system says about a file into errors that say what to do."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

_BY_NUMBER = {
    errno.ENOENT: (Code.FILE_MISSING, Fault.USER, "there is no such file or folder"),
    errno.ENOTDIR: (Code.FILE_MISSING, Fault.USER, "a part of the path is a file, no folder"),
    errno.EEXIST: (Code.FILE_EXISTS, Fault.USER, "there is something of this name already"),
    errno.ENOTEMPTY: (Code.FILE_EXISTS, Fault.USER, "there is something of this name already"),
    errno.EISDIR: (Code.PATH_INVALID, Fault.USER, "this is a folder"),
    errno.EINVAL: (Code.PATH_INVALID, Fault.USER, "this name or move is not possible here"),
    errno.ENAMETOOLONG: (Code.PATH_INVALID, Fault.USER, "the name is too long for this disk"),
    errno.EILSEQ: (Code.PATH_INVALID, Fault.USER, "this disk cannot hold the name"),
    errno.ELOOP: (Code.PATH_OUTSIDE, Fault.POLICY, "a link is on the way"),
    errno.ENOSPC: (Code.DISK_FULL, Fault.SYSTEM, "the disk is full; nothing was changed"),
    errno.EDQUOT: (Code.DISK_FULL, Fault.SYSTEM, "the quota of the disk is used up; nothing was changed"),
    errno.EFBIG: (Code.DISK_FULL, Fault.SYSTEM, "the disk cannot hold a file of this size; nothing was changed"),
    errno.EACCES: (Code.PERM_DENIED, Fault.SYSTEM, "the system does not allow it"),
    errno.EPERM: (Code.PERM_DENIED, Fault.SYSTEM, "the system does not allow it"),
    errno.EROFS: (Code.PERM_DENIED, Fault.SYSTEM, "the disk is read-only"),
}


@contextmanager
def failures(path: str) -> Iterator[None]:
    """Raise NotochordError with `path` in place of OSError."""
    try:
        yield
    except OSError as error:
        code, fault, detail = _BY_NUMBER.get(error.errno or 0, (Code.DISK_IO, Fault.SYSTEM, "the disk failed"))
        why = "why.disk_read_only" if error.errno == errno.EROFS else "why.system_refuses"
        raise NotochordError(code, fault, detail, path=path, why=why) from error


def outside(path: str) -> NotochordError:
    """Return the error for a link on the way."""
    return NotochordError(Code.PATH_OUTSIDE, Fault.POLICY, "a link is on the way; links are not followed", path=path)


def no_file(path: str) -> NotochordError:
    """Return the error for something that is neither a file nor a folder, or is the wrong one of both."""
    return NotochordError(Code.PATH_INVALID, Fault.USER, "this is not an ordinary file", path=path)


def exists(path: str) -> NotochordError:
    """Return the error for a target that is taken."""
    return NotochordError(Code.FILE_EXISTS, Fault.USER, "there is something of this name already", path=path)


def missing(path: str) -> NotochordError:
    """Return the error for an item that is not there."""
    return NotochordError(Code.FILE_MISSING, Fault.USER, "there is no such file or folder", path=path)
