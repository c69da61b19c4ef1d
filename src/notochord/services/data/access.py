"""The way to an owner's database: refused once the store is closed, waiting while it is being changed over."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from notochord.core.caller import Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.bare import BareConnection, bare
from notochord.persistence.database import Database
from notochord.services.journal.api import Journal

Result = TypeVar("Result")
Work = Callable[[BareConnection], Result]


class Access:
    """Reads and writes with the driver's own connection. Writes tell the journal beforehand what caused them."""

    def __init__(self, database: Database, *, owner: str, journal: Journal | None) -> None:
        self.database = database
        self.wrote: Callable[[], None] = lambda: None
        """Called after each transaction."""
        self._owner = owner
        self._journal = journal
        self._closed = False
        self._open = asyncio.Event()
        self._open.set()
        self._writing = 0
        self._still = asyncio.Event()
        self._still.set()

    async def read(self, work: Work[Result]) -> Result:
        """Run `work` on one consistent state. Raises DATA_CLOSED."""
        self.check_open()
        return await self.database.read(lambda connection: work(bare(connection)))

    async def write(self, work: Work[Result], caller: Caller) -> Result:
        """Run `work` in one transaction, on the disk when this returns. Raises DATA_CLOSED."""
        async with self.writing(caller):
            return await self.commit(work)

    async def commit(self, work: Work[Result]) -> Result:
        """Run `work` in one transaction, inside `writing`."""
        done = await self.database.write(lambda connection: work(bare(connection)))
        self.wrote()
        return done

    @asynccontextmanager
    async def writing(self, caller: Caller) -> AsyncIterator[None]:
        """Hold off a change-over while something is written here or in the folder. Raises DATA_CLOSED."""
        self.check_open()
        while not self._open.is_set():
            await self._open.wait()
            self.check_open()
        self._writing += 1
        self._still.clear()
        try:
            if self._journal is not None and caller.cause != Cause():
                await self._journal.touch(self._owner, caller.cause)
            yield
        finally:
            self._writing -= 1
            if not self._writing:
                self._still.set()

    async def hold(self) -> None:
        """Let writes under way end, and keep later ones waiting until `release` or `close`."""
        self._open.clear()
        await self._still.wait()

    def release(self) -> None:
        self._open.set()

    async def leave(self) -> None:
        """Refuse further calls and wait for writes under way; the database stays open for another way to it."""
        self._closed = True
        self._open.set()
        await self._still.wait()

    async def close(self) -> None:
        """Refuse further calls, wait for those under way and close the file."""
        await self.leave()
        await self.database.close()

    def check_open(self) -> None:
        """Raises DATA_CLOSED."""
        if self._closed:
            raise NotochordError(Code.DATA_CLOSED, Fault.SYSTEM, "the store is closed")
