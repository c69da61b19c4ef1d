"""The door to raw databases: one private, encrypted SQLite database per owner, for SQL that the owner writes."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from notochord.core.strict_json import Json

DATABASE = "raw.db"
MAX_SCRIPT_BYTES = 1_048_576
"""Of `db/schema.sql`, and of each migration."""


@dataclass(frozen=True, slots=True)
class SqlMigration:
    """A step that changes the tables once; `name` is told in failures."""

    number: int
    name: str
    file: Path


@dataclass(frozen=True, slots=True)
class Script:
    """What a database is made with when it is opened: the schema each time, then each migration once, by number."""

    schema: Path | None = None
    migrations: tuple[SqlMigration, ...] = ()

    @property
    def empty(self) -> bool:
        return self.schema is None and not self.migrations


@dataclass(frozen=True, slots=True)
class RawSource:
    """An owner as it is now: who (`gem:<id>`), where its store lies, and its script. `stamp` names its version."""

    owner: str
    folder: Path
    stamp: str
    script: Script = field(default_factory=Script)


@dataclass(frozen=True, slots=True)
class Rows:
    """What a statement gave: `json` is an array of objects by column.

    `odd` marks the values that JSON has no word for: `[row, column, kind]`, where the kind of what stands there as a
    text is "bytes" (base64), "integer" (beyond 2^53) or "real" (infinite).
    """

    json: bytes
    odd: Json


@dataclass(frozen=True, slots=True)
class RawTable:
    name: str
    rows: int


class RawActivation(Protocol):
    """A script that went well on what is stored. Statements of the owner wait until one of the two is called."""

    async def commit(self) -> None:
        """Take it over; what is interrupted here is finished when the database is opened next."""

    async def abandon(self) -> None:
        """Leave everything as it was."""


class RawDatabases(Protocol):
    """Opens the databases and runs statements on them, those of one owner one after the other.

    Statements are JSON (`{"sql": …, "params": …}`, `{"table": …, "row": …}`) that only the owner's process reads; in
    it `{"b": base64}` and `{"i": digits}` stand for bytes and large integers. Each statement is a transaction: what it
    wrote is on the disk when the call returns, and nothing of it is there when the call raises. Raises NotochordError:
    SQL_FAILED (the database did not take it), SQL_REFUSED (a statement that nobody may run), SQL_LIMIT (time, rows,
    bytes, size, memory), CANCELLED (another version of the owner is the current one, or all is closed),
    STORE_UNREADABLE, STORE_DAMAGED, DISK_FULL, DISK_IO.
    """

    async def start(self, source: RawSource) -> None:
        """Open the database of an owner with a script, which is run; nothing happens for others."""

    async def query(self, source: RawSource, statement: bytes) -> Rows:
        """Run one statement, opening or making the database at the first."""

    async def insert(self, source: RawSource, statement: bytes) -> int | None:
        """Add one row and return its rowid; None for what has no rowids."""

    async def tables(self, source: RawSource) -> tuple[RawTable, ...]:
        """Return the owner's tables and how many rows they have; nothing is made if there is no database."""

    async def prepare(self, source: RawSource, *, before: RawSource | None) -> RawActivation:
        """Try the script of a new version: on a copy of what is stored under `before`, else on a new database.

        A copy that migrations changed takes the database's place once the new version is the current one, and what was
        there before is kept beside it. Raises as a statement does; everything is as it was then.
        """

    async def remove(self, owner: str) -> None:
        """End the owner's process; the files go with its store."""

    async def close(self) -> None:
        """End every process."""
