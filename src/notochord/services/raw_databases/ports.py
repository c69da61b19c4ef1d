"""What raw databases need from outside: processes that hold one database each."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from notochord.services.raw_databases.api import RawTable as RawTable
from notochord.services.raw_databases.api import Rows as Rows


@dataclass(frozen=True, slots=True)
class RawLimits:
    """Times in seconds, sizes in bytes (DATA-465 to DATA-470)."""

    seconds: float = 10.0
    script_seconds: float = 30.0
    """For the schema, and for each migration."""
    grace: float = 1.0
    """How long after that a statement may take to stop before its process is killed."""
    rows: int = 100_000
    result_bytes: int = 16 * 1024 * 1024
    database_bytes: int = 256 * 1024 * 1024
    heap_bytes: int = 192 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class WrittenMigration:
    number: int
    name: str
    sql: str


@dataclass(frozen=True, slots=True)
class RawOrder:
    """A database to open, which is there, and what to run on it. The key goes through a pipe only."""

    database: Path
    key: bytes
    schema: str | None = None
    migrations: tuple[WrittenMigration, ...] = ()


class RawProcess(Protocol):
    """A process with one open database. One statement at a time; all raise as `RawDatabases` says.

    A statement that does not stop in time, and one whose caller is cancelled, ends the process.
    """

    @property
    def migrated(self) -> tuple[int, ...]:
        """The migrations that were run when the database was opened."""

    @property
    def usable(self) -> bool: ...

    async def query(self, statement: bytes) -> Rows: ...

    async def insert(self, statement: bytes) -> int | None: ...

    async def tables(self) -> tuple[RawTable, ...]: ...

    async def close(self) -> None:
        """Bring everything into the database's own file and end the process."""


class RawLauncher(Protocol):
    """Starts such processes."""

    async def open(self, order: RawOrder) -> RawProcess:
        """Open a database and run its script; each part of it is done or not. Raises as `RawDatabases` says."""
