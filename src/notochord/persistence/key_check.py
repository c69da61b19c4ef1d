"""Tells, without opening a database, whether a key fits it.

SQLite folds a log that a killed process left into the file before anybody learns that the key is wrong. So the key is
checked first, against the authentication code of a page: SQLCipher 4 keeps in the last 80 bytes of each page of 4096
a random block of 16 and an HMAC-SHA512 over the page's content, that block and the page's number; the HMAC's key comes
from the database key and the salt in the file's first 16 bytes (https://www.zetetic.net/sqlcipher/design/).
"""

import hashlib
import hmac
import struct
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.failures import translated

PAGE = 4096
CODE = 64
SALT = 16
SALT_MASK = 0x3A
ROUNDS = 2
LOG_HEADER = 32
FRAME_HEADER = 24
PLAIN_START = b"SQLite format 3\0"


def refuse_unfit(path: Path, key: bytes) -> None:
    """Return if `key` fits the database `path`; nothing is written.

    Raises NotochordError: STORE_DAMAGED for a file cut short, STORE_UNREADABLE for a wrong key or another kind of file.
    """
    with translated(path):
        first = _read(path, 0, PAGE)
        frame = _read(log_of(path), LOG_HEADER, FRAME_HEADER + PAGE)
    if len(first) < PAGE and not first.startswith(PLAIN_START):
        raise NotochordError(Code.STORE_DAMAGED, Fault.SYSTEM, f"cut to {len(first)} bytes", path=path.name)
    salt = first[:SALT]
    if _authentic(first, 1, salt, key):
        return
    # A stop in the middle of writing the first page leaves it torn; the log then holds it, under the same key.
    if len(frame) == FRAME_HEADER + PAGE:
        (number,) = struct.unpack_from(">I", frame)
        if _authentic(frame[FRAME_HEADER:], number, salt, key):
            return
    kind = "a plain SQLite file" if salt == PLAIN_START else "no database, or one with another key"
    raise NotochordError(Code.STORE_UNREADABLE, Fault.SYSTEM, kind, path=path.name)


def log_of(path: Path) -> Path:
    """Return where SQLite keeps what is committed and not yet in the file."""
    return path.with_name(f"{path.name}-wal")


def _read(path: Path, start: int, length: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(start)
            return file.read(length)
    except FileNotFoundError:
        return b""


def _authentic(page: bytes, number: int, salt: bytes, key: bytes) -> bool:
    mask = bytes(byte ^ SALT_MASK for byte in salt)
    code_key = hashlib.pbkdf2_hmac("sha512", key, mask, ROUNDS, len(key))
    content = page[SALT if number == 1 else 0 : PAGE - CODE]
    # The 80 reserved bytes end with the code (64); the random block (16) before it is covered.
    expected = hmac.digest(code_key, content + struct.pack("<I", number), "sha512")
    return hmac.compare_digest(expected, page[PAGE - CODE : PAGE])
