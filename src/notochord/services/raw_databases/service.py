"""Keeps the processes of raw databases: opened when needed, one version of an owner at a time, ended when idle."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.tasks import Lifetime
from notochord.services.raw_databases import files
from notochord.services.raw_databases.activation import Taken, tried_on_a_copy
from notochord.services.raw_databases.api import RawActivation, RawSource, RawTable, Rows
from notochord.services.raw_databases.ports import RawLauncher, RawProcess
from notochord.services.vault.api import Vault

IDLE_SECONDS = 60.0

Boundary = Callable[[str], None]


@dataclass(slots=True, eq=False)
class _Owner:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    current: RawSource | None = None
    process: RawProcess | None = None
    last_used: float = 0.0


class RawDatabaseService:
    """The raw databases of one organization. `boundary` is told at each durable boundary; a test ends there."""

    def __init__(
        self, *, vault: Vault, launcher: RawLauncher, clock: Clock, boundary: Boundary = lambda name: None
    ) -> None:
        self._vault = vault
        self._launcher = launcher
        self._clock = clock
        self._boundary = boundary
        self._owners: defaultdict[str, _Owner] = defaultdict(_Owner)
        self._tasks = Lifetime("raw databases")
        self._closed = False

    async def start(self, source: RawSource) -> None:
        if not source.script.empty:
            async with self._opened(source):
                pass

    async def query(self, source: RawSource, statement: bytes) -> Rows:
        async with self._opened(source) as process:
            return await process.query(statement)

    async def insert(self, source: RawSource, statement: bytes) -> int | None:
        async with self._opened(source) as process:
            return await process.insert(statement)

    async def tables(self, source: RawSource) -> tuple[RawTable, ...]:
        if not await asyncio.to_thread(files.exists, source):
            return ()
        async with self._opened(source) as process:
            return await process.tables()

    async def prepare(self, source: RawSource, *, before: RawSource | None) -> RawActivation:
        owner = self._owners[source.owner]
        await owner.lock.acquire()
        taken = Taken(lambda: self._take(owner, source), owner.lock.release, source)
        try:
            self._check(owner, before or source)
            await self._end(owner)
            if source.script.empty:
                return taken
            if before is None:
                owner.process = await self._open(source)
            else:
                key = files.raw_key(await self._vault.store_key(source.owner))
                await tried_on_a_copy(source, key, self._launcher, self._boundary)
        except BaseException:
            owner.lock.release()
            raise
        return taken

    async def remove(self, owner: str) -> None:
        found = self._owners[owner]
        async with found.lock:
            await self._end(found)
            found.current = None

    async def close(self) -> None:
        self._closed = True
        await self._tasks.close()
        for owner in list(self._owners.values()):
            async with owner.lock:
                await self._end(owner)

    @asynccontextmanager
    async def _opened(self, source: RawSource) -> AsyncIterator[RawProcess]:
        """Give the owner's process to one statement; what cannot be opened is tried again by the next."""
        owner = self._owners[source.owner]
        async with owner.lock:
            self._check(owner, source)
            if owner.process is None or not owner.process.usable:
                await self._end(owner)
                owner.process = await self._open(source)
                _ = self._tasks.start("idle", self._watch(owner, owner.process))
            try:
                yield owner.process
            finally:
                owner.last_used = self._clock.monotonic()

    async def _open(self, source: RawSource) -> RawProcess:
        key = files.raw_key(await self._vault.store_key(source.owner))
        now = self._clock.milliseconds()
        return await self._launcher.open(await asyncio.to_thread(files.made_ready, source, key, now, self._boundary))

    def _check(self, owner: _Owner, source: RawSource) -> None:
        """Refuse the statements of a version that is not the current one. Raises CANCELLED."""
        if self._closed:
            raise NotochordError(Code.CANCELLED, Fault.SYSTEM, "the databases are closed")
        current = owner.current = owner.current or source
        if current.stamp != source.stamp:
            raise NotochordError(Code.CANCELLED, Fault.SYSTEM, "the gem was upgraded just now; call again")

    def _take(self, owner: _Owner, source: RawSource) -> None:
        owner.current = source
        if owner.process is not None:
            _ = self._tasks.start("idle", self._watch(owner, owner.process))

    async def _watch(self, owner: _Owner, process: RawProcess) -> None:
        """End a process that nobody has used for a while."""
        while owner.process is process:
            await self._clock.sleep(IDLE_SECONDS)
            async with owner.lock:
                unused = self._clock.monotonic() - owner.last_used >= IDLE_SECONDS
                if owner.process is process and (unused or not process.usable):
                    await self._end(owner)

    async def _end(self, owner: _Owner) -> None:
        process, owner.process = owner.process, None
        if process is not None:
            await process.close()
