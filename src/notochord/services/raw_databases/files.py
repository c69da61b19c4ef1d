"""The files of a raw database: made new, changed over to a migrated copy, and the scripts that are run on it."""

from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.keys import derived_key
from notochord.persistence.atomic_files import flush_folder
from notochord.persistence.changeover import Boundary, Changeover
from notochord.persistence.connection import create
from notochord.persistence.failures import translated
from notochord.persistence.key_check import log_of, refuse_unfit
from notochord.services.raw_databases.api import DATABASE, MAX_SCRIPT_BYTES, RawSource, Script
from notochord.services.raw_databases.ports import RawOrder, WrittenMigration

MIGRATIONS = "notochord_migrations"
"""The table that remembers which migrations were run; the owner's statements cannot reach it."""


def raw_key(key: bytes) -> bytes:
    """Return the key of an owner's raw database, from the key of its store."""
    return derived_key(key, DATABASE)


def changeover(source: RawSource) -> Changeover:
    return Changeover(source.folder / DATABASE, source.stamp)


def exists(source: RawSource) -> bool:
    """Tell whether there is a database, or a migrated one that waits for this version."""
    files = changeover(source)
    return files.database.exists() or files.next.exists()


def made_ready(source: RawSource, key: bytes, now: int, boundary: Boundary) -> RawOrder:
    """Settle what waits for this version, make the database if there is none, and return what opens it."""
    files = changeover(source)
    with translated(files.database):
        source.folder.mkdir(parents=True, exist_ok=True)
        drop_empty_log(files.database)
        files.settle(now, boundary)
        if not files.database.exists():
            _make(files.part, key)
            files.part.replace(files.database)
            flush_folder(source.folder)
            boundary("raw made")
    refuse_unfit(files.database, key)
    return _order(files.database, key, source.script)


def copied(source: RawSource, key: bytes) -> RawOrder:
    """Copy the database, which is closed, for the version that is tried; return what opens the copy."""
    files = changeover(source)
    with translated(files.database):
        drop_empty_log(files.database)
        if files.database.exists():
            files.copy()
        else:
            files.clear()
            source.folder.mkdir(parents=True, exist_ok=True)
            _make(files.part, key)
    return _order(files.part, key, source.script)


def drop_empty_log(database: Path) -> None:
    """Delete the log of a closed database: its process may not delete files, and leaves an empty one."""
    log = log_of(database)
    if log.exists() and log.stat().st_size == 0:
        log.unlink()


def _make(path: Path, key: bytes) -> None:
    connection = create(path, key)
    try:
        connection.execute(f"CREATE TABLE {MIGRATIONS} (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
        connection.execute("PRAGMA journal_mode = WAL")  # the process that opens it may make no other journal
    finally:
        connection.close()


def _order(database: Path, key: bytes, script: Script) -> RawOrder:
    schema = None if script.schema is None else _text(script.schema, "schema.sql")
    migrations = tuple(WrittenMigration(one.number, one.name, _text(one.file, one.name)) for one in script.migrations)
    return RawOrder(database, key, schema, migrations)


def _text(file: Path, name: str) -> str:
    try:
        content = file.read_bytes()
        if len(content) <= MAX_SCRIPT_BYTES:
            return content.decode()
        reason = f"over {MAX_SCRIPT_BYTES} bytes"
    except OSError as error:
        reason = error.strerror or "it cannot be read"
    except UnicodeDecodeError:
        reason = "it is not UTF-8 text"
    detail = f"db/{name}: {reason}"
    raise NotochordError(Code.SQL_FAILED, Fault.USER, detail, reason=detail)
