"""Opens the stores of owners, each with its own key from the vault, keeps them open, and changes them over."""

import asyncio
import logging
from collections import defaultdict
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.persistence.changeover import Boundary
from notochord.persistence.folders import remove_folder
from notochord.services.data.activation import Prepared, prepare
from notochord.services.data.api import Activation, Migrate, Source
from notochord.services.data.journal_stores import JournalStores
from notochord.services.data.opening import open_store
from notochord.services.data.parsing import faults_of
from notochord.services.data.store import EncryptedStore, Surroundings
from notochord.services.journal.api import Journal
from notochord.services.vault.api import Vault

_log = logging.getLogger(__name__)


class DataService:
    """The stores of one organization. `device` names this computer in the change records.

    `boundary` is told at each durable boundary; a test ends the process there.
    """

    def __init__(
        self,
        *,
        vault: Vault,
        clock: Clock,
        device: str,
        journal: Journal | None = None,
        boundary: Boundary = lambda name: None,
    ) -> None:
        self._vault = vault
        self._surroundings = Surroundings(clock, device, journal, boundary)
        self._stores: dict[str, EncryptedStore] = {}
        self._current: dict[str, Source] = {}
        """What each owner that was asked for is now: a call of an older version must not open its store as it was."""

        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._closed = False
        self._journal_stores = JournalStores(journal=journal, store=self.store)

    def faults(self, declared: Json) -> tuple[str, ...]:
        return faults_of(declared)

    async def store(self, source: Source) -> EncryptedStore:
        async with self._locks[source.owner]:
            self._check_open()
            return await self._opened(source)

    def know(self, source: Source) -> None:
        self._journal_stores.know(source)

    async def prepare(self, source: Source, migrate: Migrate, *, before: Source | None) -> Activation:
        lock = self._locks[source.owner]
        await lock.acquire()
        try:
            self._check_open()
            store = await self._opened(before or source)
            prepared = None
            if before is not None:
                key = await self._vault.store_key(source.owner)
                prepared = await prepare(store, source, migrate, key=key, surroundings=self._surroundings)
        except BaseException:
            lock.release()
            raise
        return _Activation(self, source, prepared, lock)

    async def commit(self, source: Source, prepared: Prepared) -> None:
        """Put the store that a prepared declaration makes in the place of the one before."""
        before = self._stores.pop(source.owner)
        self._current[source.owner] = source
        self._journal_stores.know(source)
        try:
            self._stores[source.owner] = await prepared.commit()
        except NotochordError:
            await before.close()
            _log.exception("the store of %s is changed over when it is opened next", source.owner)

    async def remove(self, owner: str, folder: Path) -> None:
        async with self._locks[owner]:
            store = self._stores.pop(owner, None)
            if store is not None:
                await store.close()
            self._current.pop(owner, None)
            self._journal_stores.forget(owner)
            await self._vault.forget_store_key(owner)
            # The key is destroyed already: what could not be deleted cannot be read either.
            await asyncio.to_thread(remove_folder, folder)

    async def close(self) -> None:
        self._closed = True
        for owner in list(self._locks):
            async with self._locks[owner]:
                store = self._stores.pop(owner, None)
                if store is not None:
                    await store.close()

    async def _opened(self, source: Source) -> EncryptedStore:
        current = self._current.setdefault(source.owner, source)
        if (current.stamp, current.declared) != (source.stamp, source.declared):
            raise NotochordError(Code.DATA_CLOSED, Fault.SYSTEM, "the gem was upgraded just now; call again")
        store = self._stores.get(source.owner)
        if store is None:
            key = await self._vault.store_key(source.owner)
            store = self._stores[source.owner] = await open_store(source, key, self._surroundings)
            self._journal_stores.know(source)
        return store

    def _check_open(self) -> None:
        if self._closed:
            raise NotochordError(Code.DATA_CLOSED, Fault.SYSTEM, "the stores are closed")


class _Activation:
    """An activation that holds the lock of its owner; without `prepared` there is nothing to take over."""

    def __init__(self, service: DataService, source: Source, prepared: Prepared | None, lock: asyncio.Lock) -> None:
        self._service = service
        self._source = source
        self._prepared = prepared
        self._lock = lock

    async def commit(self) -> None:
        try:
            if self._prepared is not None:
                await self._service.commit(self._source, self._prepared)
        finally:
            self._lock.release()

    async def abandon(self) -> None:
        try:
            if self._prepared is not None:
                await self._prepared.abandon()
        finally:
            self._lock.release()
