"""One encrypted database: a single writer thread, a few readers, and nothing that blocks the loop."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import sqlcipher3.dbapi2 as sqlite
from sqlalchemy import Connection, Engine, QueuePool, create_engine, event
from sqlalchemy.exc import DBAPIError

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.bare import bare
from notochord.persistence.connection import CACHE_KIBIBYTES, connect
from notochord.persistence.failures import as_failure
from notochord.persistence.integrity import faults_in
from notochord.persistence.migrations import Component, migrate

Result = TypeVar("Result")
Work = Callable[[Connection], Result]

READERS = 3


class Database:
    """Runs work on an encrypted database in threads of its own.

    `write` is one transaction of the one writer: when it returns, the change is on the disk; when it raises, nothing
    of it is. A caller that is cancelled while it waits does not know which of the two happened. `read` sees one
    consistent state and can change nothing. Both raise NotochordError for trouble with the file or the disk and pass
    on what the work itself raises; sqlalchemy.exc.IntegrityError is the work's own affair. A text that no database can
    hold is refused with INPUT_INVALID.
    """

    def __init__(self, path: Path, key: bytes, *, cache: int = CACHE_KIBIBYTES) -> None:
        self.path = path
        self._connect_reader = partial(connect, path, key, read_only=True, cache=cache)
        self._writer = _engine(partial(connect, path, key, cache=cache), read_only=False, size=1)
        self._readers = _engine(self._connect_reader, read_only=True, size=READERS)
        self._kept: Connection | None = None
        self._closed = False
        self._writing = ThreadPoolExecutor(1, thread_name_prefix=f"{path.name}-writer")
        self._reading = ThreadPoolExecutor(READERS, thread_name_prefix=f"{path.name}-reader")

    @classmethod
    async def open(
        cls, path: Path, key: bytes, components: tuple[Component, ...], *, cache: int = CACHE_KIBIBYTES
    ) -> "Database":
        """Open the database and bring its schema up to date, keeping a copy if something changes.

        `cache` is what each of its connections may keep of the file in memory, in KiB.

        Raises NotochordError: STORE_UNREADABLE (wrong key or no database), STORE_DAMAGED, STORE_NEWER, STORE_LOCKED,
        DISK_FULL, STORE_READ_ONLY. The file is then as it was.
        """
        database = cls(path, key, cache=cache)
        try:
            await asyncio.get_running_loop().run_in_executor(database._writing, lambda: migrate(path, key, components))
        except BaseException:
            await database.close()
            raise
        return database

    async def write(self, work: Work[Result]) -> Result:
        """Run `work` in one transaction of the writer and return its result once that is durable."""
        return await asyncio.get_running_loop().run_in_executor(self._writing, self._write, work)

    async def read(self, work: Work[Result]) -> Result:
        """Run `work` on a reader and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._read, work)

    async def check(self) -> tuple[str, ...]:
        """Return what is wrong with the pages and the structure of the file; nothing if it is sound."""

        def look() -> tuple[str, ...]:
            # A connection that met a bad page fails from then on, so it is one of its own.
            connection = self._connect_reader()
            try:
                return faults_in(connection)
            except sqlite.Error as error:
                raise as_failure(error, self.path) from error
            finally:
                connection.close()

        return await asyncio.get_running_loop().run_in_executor(self._reading, look)

    async def close(self) -> None:
        """Wait for what is under way and close the file; later calls of `read` and `write` raise RuntimeError."""
        if not self._closed:
            self._closed = True
            await asyncio.get_running_loop().run_in_executor(self._writing, self._finish)
            self._writing.shutdown()

    def _finish(self) -> None:
        """Runs as the writer's last work."""
        self._reading.shutdown()
        self._readers.dispose()
        if self._kept is not None:
            self._kept.close()
        self._writer.dispose()

    def _write(self, work: Work[Result]) -> Result:
        """Runs in the writer's thread, which keeps its connection from one success to the next."""
        with self._failures():
            connection, self._kept = self._kept or self._writer.connect(), None
            try:
                with connection.begin():
                    result = work(connection)
            except BaseException:
                connection.close()
                raise
            self._kept = connection
            return result

    def _read(self, work: Work[Result]) -> Result:
        with self._failures(), self._readers.begin() as connection:
            return work(connection)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            if isinstance(error.orig, sqlite.IntegrityError):
                raise
            raise as_failure(error.orig or error, self.path) from error
        except sqlite.IntegrityError:
            raise
        except UnicodeEncodeError as error:
            detail = "a text holds half a character (a lone surrogate)"
            raise NotochordError(
                Code.INPUT_INVALID, Fault.USER, detail, field="text", why="why.half_character"
            ) from error
        except sqlite.Error as error:
            raise as_failure(error, self.path) from error


def _engine(open_one: Callable[[], sqlite.Connection], *, read_only: bool, size: int) -> Engine:
    engine = create_engine(
        "sqlite://",
        creator=open_one,
        module=sqlite,
        hide_parameters=True,  # they may be secrets, and errors reach the log
        poolclass=QueuePool,
        pool_size=size,
        max_overflow=0,
        pool_reset_on_return=None,
    )
    begin = "BEGIN" if read_only else "BEGIN IMMEDIATE"
    event.listen(engine, "begin", lambda connection: bare(connection).execute(begin))
    return engine
