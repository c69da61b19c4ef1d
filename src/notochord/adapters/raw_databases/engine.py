"""One open raw database: statements of a gem within their limits, each a transaction; the script of its package."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlcipher3.dbapi2 as sqlite

from notochord.adapters.raw_databases import values
from notochord.adapters.raw_databases.guard import MIGRATIONS, Guard
from notochord.core.strict_json import Json

PAGE_BYTES = 4096
CACHE_KIBIBYTES = 16 * 1024
STEPS_BETWEEN_LOOKS = 1_000
ROWS_AT_ONCE = 500
ROOM_LEFT = 16 * 1024 * 1024
"""Bytes: with less free on the disk, a full database means a full disk."""

_KIND = "SELECT type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1 COLLATE NOCASE"
_TABLES = """
SELECT name FROM pragma_table_list
WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT GLOB 'sqlite_*' AND name <> ?1 ORDER BY name
"""

_DISK = ("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY")
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float
    script_seconds: float
    rows: int
    result_bytes: int
    database_bytes: int
    heap_bytes: int


class Failure(Exception):
    """A statement that was not carried out; `why` is failed, refused, damaged, disk, full, or a limit: time, rows,
    bytes, size, memory."""

    def __init__(self, why: str, detail: str) -> None:
        super().__init__(detail)
        self.why = why


class Engine:
    """The only connection to a database, which holds it alone."""

    def __init__(self, path: Path, key: bytes, limits: Limits) -> None:
        self._path = path
        self._limits = limits
        self._guard = Guard()
        self._deadline = 0.0
        self._late = False
        # Compiled statements are kept by their text: this program's own have one that no gem can guess.
        self._mark = f" -- {os.urandom(16).hex()}"
        self._connection = sqlite.connect(str(path), isolation_level=None)
        self._connection.text_factory = lambda text: str(text, "utf-8", "replace")
        with self._failures():
            self._set_up(key)
        self._connection.set_authorizer(self._guard)
        self._connection.set_progress_handler(self._look, STEPS_BETWEEN_LOOKS)

    def run_script(
        self, schema: str | None, migrations: Sequence[tuple[int, str, str]], step: Callable[[], None]
    ) -> list[int]:
        """Run the schema and the migrations that were not run yet; return their numbers. Raises Failure.

        `step` is told before each.
        """
        if schema is None and not migrations:
            return []
        self._own("PRAGMA foreign_keys = OFF")
        if schema is not None:
            step()
            self._part("schema.sql", schema, ())
        done = {row[0] for row in self._own(f"SELECT number FROM {MIGRATIONS}")}
        new = [one for one in migrations if one[0] not in done]
        for number, name, text in new:
            step()
            self._part(f"migrations/{name}", text, (number, name))
        self._own("PRAGMA foreign_keys = ON")
        return [number for number, _, _ in new]

    def query(self, content: bytes) -> tuple[bytes, list[Json]]:
        """Carry out a statement; return its rows as JSON and where the odd values stand. Raises Failure."""
        sql, parameters = _fit(values.statement_of, content)
        with self._transaction(self._limits.seconds):
            return self._collected(self._connection.execute(sql, parameters))

    def insert(self, content: bytes) -> int | None:
        """Add a row; return its rowid, None where there are none. Raises Failure."""
        table, sql, row = _fit(values.row_of, content)
        with self._transaction(self._limits.seconds):
            self._connection.execute(sql, row)
            kinds = self._own(_KIND, table)
            numbered = bool(kinds) and kinds[0][0] != "view" and not kinds[0][1]
            return int(self._own("SELECT last_insert_rowid()")[0][0]) if numbered else None

    def tables(self) -> list[Json]:
        """Return the gem's tables, each with its number of rows. Raises Failure."""
        with self._failures():
            found = self._own(_TABLES, MIGRATIONS)
            self._deadline = time.monotonic() + self._limits.seconds
            return [[name, self._own(f"SELECT count(*) FROM {_quoted(name)}")[0][0]] for (name,) in found]

    def close(self) -> None:
        """Bring everything into the database's own file."""
        self._deadline = 0.0
        self._own("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()

    def _set_up(self, key: bytes) -> None:
        run = self._connection.execute
        run("PRAGMA cipher_log_level = NONE")
        run(f"PRAGMA key = \"x'{key.hex()}'\"")
        run("PRAGMA temp_store = MEMORY")
        run("PRAGMA locking_mode = EXCLUSIVE")  # no index of the log on the disk
        run("SELECT count(*) FROM sqlite_master").fetchone()
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("PRAGMA secure_delete = FAST")
        run("PRAGMA trusted_schema = OFF")
        run("PRAGMA foreign_keys = ON")
        run(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
        run(f"PRAGMA max_page_count = {self._limits.database_bytes // PAGE_BYTES}")
        run(f"PRAGMA hard_heap_limit = {self._limits.heap_bytes}")

    def _part(self, name: str, text: str, record: tuple[Any, ...]) -> None:
        """Run one file of the script, with the record of a migration, as one transaction."""
        try:
            with self._transaction(self._limits.script_seconds):
                for statement in _statements(text):
                    self._guard.begin()
                    self._connection.execute(statement).fetchall()
                if record:
                    self._own(f"INSERT INTO {MIGRATIONS} VALUES (?1, ?2)", *record)
                    if self._own("PRAGMA foreign_key_check"):
                        raise Failure("failed", "a FOREIGN KEY constraint does not hold afterwards")
        except Failure as failure:
            raise Failure(failure.why, f"db/{name}: {failure}") from failure

    def _collected(self, cursor: sqlite.Cursor) -> tuple[bytes, list[Json]]:
        if cursor.description is None:
            return b"[]", []
        names = [column[0] for column in cursor.description]
        parts: list[bytes] = []
        odd: list[Json] = []
        count = size = 0
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            part, found = values.shown(names, rows, count)
            count, size = count + len(rows), size + len(part) + 1
            if count > self._limits.rows:
                raise Failure("rows", f"a statement gives at most {self._limits.rows} rows; add a LIMIT")
            if size + 1 > self._limits.result_bytes:
                raise Failure("bytes", f"a statement gives at most {self._limits.result_bytes} bytes; add a LIMIT")
            if self._look():
                raise Failure("time", _too_long(self._limits.seconds))
            parts.append(part)
            odd += found
        return b"[" + b",".join(parts) + b"]", odd

    @contextmanager
    def _transaction(self, seconds: float) -> Iterator[None]:
        """Carry out what is inside as one transaction within a time. Raises Failure; nothing of it stays then."""
        with self._failures(seconds):
            self._own("BEGIN")
            try:
                self._deadline = time.monotonic() + seconds
                self._guard.begin()
                yield
                self._deadline = 0.0
                self._own("COMMIT")
            except BaseException:
                self._deadline = 0.0
                if self._connection.in_transaction:
                    self._own("ROLLBACK")
                raise

    def _own(self, sql: str, *parameters: Any) -> list[Any]:
        """Run a statement of this program."""
        with self._guard.trusting():
            return list(self._connection.execute(sql + self._mark, parameters).fetchall())

    def _look(self) -> bool:
        """Tell whether the time is over; SQLite then stops."""
        late = bool(self._deadline) and time.monotonic() > self._deadline
        self._late = self._late or late
        return late

    @contextmanager
    def _failures(self, seconds: float = 0.0) -> Iterator[None]:
        self._late = False
        try:
            yield
        except MemoryError as error:
            raise Failure("memory", "the statement needs more memory than it may have") from error
        except (sqlite.Error, sqlite.Warning, OverflowError, UnicodeEncodeError, ValueError, TypeError) as error:
            raise self._failure(error, seconds) from error

    def _failure(self, error: Exception, seconds: float) -> Failure:
        name, detail = str(getattr(error, "sqlite_errorname", "")), str(error)
        if self._late:
            return Failure("time", _too_long(seconds))
        if self._guard.denied:
            return Failure("refused", f"{self._guard.denied} is not open to a gem")
        if detail.startswith("cannot VACUUM"):
            return Failure("refused", "VACUUM is not open to a gem")
        if name.startswith("SQLITE_NOMEM"):
            return Failure("memory", "the statement needs more memory than it may have")
        if name.startswith("SQLITE_FULL"):
            return self._full()
        why = "disk" if name.startswith(_DISK) else "damaged" if name.startswith(_DAMAGE) else "failed"
        return Failure(why, detail)

    def _full(self) -> Failure:
        disk = os.statvfs(self._path) if hasattr(os, "statvfs") else None
        if disk is not None and disk.f_bavail * disk.f_frsize < ROOM_LEFT:
            return Failure("full", "the disk is full")
        return Failure("size", f"the database is at most {self._limits.database_bytes} bytes")


def _fit(read: Callable[[bytes], Any], content: bytes) -> Any:
    try:
        return read(content)
    except values.Unfit as error:
        raise Failure("failed", str(error)) from error


def _statements(text: str) -> Iterator[str]:
    """Yield the statements of a script, which SQLite itself tells apart: a trigger has semicolons inside."""
    begun = ""
    for part in text.removeprefix("\ufeff").split(";"):
        begun += f"{part};"
        if sqlite.complete_statement(begun):
            yield begun
            begun = ""
    if begun.strip().strip(";").strip():
        yield begun.removesuffix(";")


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _too_long(seconds: float) -> str:
    return f"the statement took longer than {seconds:g} s"
