"""The private keys of authors: one key in a file that its owner alone may read; no key is ever shown."""

import os
import stat
from pathlib import Path

from nacl.signing import SigningKey

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.atomic_files import PRIVATE, flush_folder
from notochord.persistence.given_files import open_given
from notochord.services.gems.signatures import key_id

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_MAX_BYTES = 1_024


def make_key(file: Path) -> str:
    """Write a new key as hexadecimal text and return its id. Raises NotochordError(FILE_EXISTS), OSError."""
    key = SigningKey.generate()
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    except FileExistsError as error:
        detail = f"{file} is there already; a key is never overwritten"
        raise NotochordError(Code.FILE_EXISTS, Fault.USER, detail, path=str(file)) from error
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(key.encode().hex().encode() + b"\n")
            opened.flush()
            os.fsync(opened.fileno())
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    flush_folder(file.parent)
    return id_of(key)


def read_key(file: Path) -> SigningKey:
    """Return the key in a file.

    Raises NotochordError: FILE_MISSING, INPUT_INVALID (no key, or a file that others on this computer may read).
    """
    try:
        with open_given(file) as opened:
            if os.name != "nt" and os.fstat(opened.fileno()).st_mode & _OTHERS:
                detail = f"others may read {file}"
                raise NotochordError(Code.INPUT_INVALID, Fault.USER, detail, path=str(file), why="why.key_open")
            content = opened.read(_MAX_BYTES)
    except OSError as error:
        raise NotochordError(Code.FILE_MISSING, Fault.USER, f"{file}: {error.strerror}", path=str(file)) from error
    try:
        return SigningKey(bytes.fromhex(content.decode("ascii")))
    except ValueError as error:
        # The content stays out of the message: it may be a key of another kind.
        detail = f"{file} holds no key of this program"
        raise NotochordError(Code.INPUT_INVALID, Fault.USER, detail, path=str(file), why="why.no_key") from error


def id_of(key: SigningKey) -> str:
    return key_id(bytes(key.verify_key))
