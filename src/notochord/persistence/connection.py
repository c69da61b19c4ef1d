"""Opens one SQLCipher connection with the raw key and the settings that every database of this program has."""

from pathlib import Path

import sqlcipher3.dbapi2 as sqlite

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

KEY_BYTES = 32
BUSY_MILLISECONDS = 5_000
CACHE_KIBIBYTES = 64 * 1024


def connect(path: Path, key: bytes, *, read_only: bool = False) -> sqlite.Connection:
    """Open `path`, creating it unless `read_only`; the caller closes the connection.

    Every acknowledged write is on the disk when its commit returns: WAL with `synchronous=FULL`.
    Raises NotochordError (see `as_failure`).
    """
    if len(key) != KEY_BYTES:
        raise ValueError("a database key has 32 bytes")
    if read_only and not path.is_file():
        raise NotochordError(Code.STORE_UNREADABLE, Fault.SYSTEM, "no such file", path=path.name)
    try:
        connection = sqlite.connect(str(path), isolation_level=None, check_same_thread=False)
    except sqlite.Error as error:
        raise as_failure(error, path) from error
    try:
        connection.execute("PRAGMA cipher_log_level = NONE")
        connection.execute(f"PRAGMA key = \"x'{key.hex()}'\"")
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
        connection.execute("PRAGMA trusted_schema = OFF")
        if read_only:
            connection.execute("PRAGMA query_only = ON")
        else:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
    except sqlite.Error as error:
        connection.close()
        raise as_failure(error, path) from error
    return connection


def as_failure(error: BaseException, path: Path) -> NotochordError:
    """Translate a database error into one that says what to do; the file is as it was before the failed step."""
    text = str(error).lower()
    code = next((code for words, code in _BY_WORDS if words in text), Code.INTERNAL)
    fault = Fault.BUG if code is Code.INTERNAL else Fault.SYSTEM
    return NotochordError(code, fault, str(error), path=path.name)


_BY_WORDS = (
    ("not a database", Code.STORE_UNREADABLE),
    ("unable to open", Code.STORE_UNREADABLE),
    ("malformed", Code.STORE_DAMAGED),
    ("database or disk is full", Code.DISK_FULL),
    ("locked", Code.STORE_LOCKED),
    ("readonly", Code.STORE_READ_ONLY),
    ("disk i/o", Code.DISK_IO),
)
