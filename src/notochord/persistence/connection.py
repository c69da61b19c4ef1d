"""Opens one SQLCipher connection with the raw key and the settings that every database of this program has."""

from pathlib import Path

import sqlcipher3.dbapi2 as sqlite

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.failures import as_failure

KEY_BYTES = 32
BUSY_MILLISECONDS = 5_000
CACHE_KIBIBYTES = 64 * 1024


def connect(path: Path, key: bytes, *, read_only: bool = False, cache: int = CACHE_KIBIBYTES) -> sqlite.Connection:
    """Open the existing database `path`; the caller closes the connection.

    Every acknowledged write is on the disk when its commit returns: WAL with `synchronous=FULL`. What is deleted is
    overwritten with zeros in the pages it lay in. `cache` is in KiB. Raises NotochordError. A key that was never used
    on this file is checked with `key_check.refuse_unfit` first, which leaves the file as it was.
    """
    if len(key) != KEY_BYTES:
        raise ValueError("a database key has 32 bytes")
    if not path.is_file():
        raise NotochordError(Code.STORE_UNREADABLE, Fault.SYSTEM, "no such file", path=path.name)
    return _open(path, key, journal="" if read_only else "WAL", cache=cache)


def create(path: Path, key: bytes) -> sqlite.Connection:
    """Open `path` as a new, empty database without a log beside it, so that it can be renamed once it is closed.

    Raises NotochordError, or ValueError if there is something already.
    """
    if path.exists():
        raise ValueError(f"{path.name} exists")
    return _open(path, key, journal="DELETE")


def _open(path: Path, key: bytes, *, journal: str, cache: int = CACHE_KIBIBYTES) -> sqlite.Connection:
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
        connection.execute(f"PRAGMA cache_size = -{cache}")
        connection.execute("PRAGMA trusted_schema = OFF")
        if journal:
            connection.execute("PRAGMA secure_delete = FAST")
            connection.execute(f"PRAGMA journal_mode = {journal}")
            connection.execute("PRAGMA synchronous = FULL")
        else:
            connection.execute("PRAGMA query_only = ON")
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite.Error):
            raise as_failure(error, path) from error
        raise
    return connection
