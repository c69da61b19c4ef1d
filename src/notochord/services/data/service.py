"""Opens the stores of owners, each with its own key from the vault, and keeps them open."""

import asyncio
from collections import defaultdict
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.database import Database
from notochord.persistence.folders import remove_folder
from notochord.services.data.component import COMPONENT
from notochord.services.data.store import EncryptedStore
from notochord.services.vault.api import Vault

DATABASE = "data.db"
"""The file of a store in the folder of its owner."""


class DataService:
    """The stores of one organization. `device` names this computer in the change records."""

    def __init__(self, *, vault: Vault, clock: Clock, device: str) -> None:
        self._vault = vault
        self._clock = clock
        self._device = device
        self._stores: dict[str, EncryptedStore] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._closed = False

    async def store(self, owner: str, folder: Path) -> EncryptedStore:
        async with self._locks[owner]:
            if self._closed:
                raise NotochordError(Code.DATA_CLOSED, Fault.SYSTEM, "the stores are closed")
            if owner not in self._stores:
                self._stores[owner] = await self._open(owner, folder)
            return self._stores[owner]

    async def remove(self, owner: str, folder: Path) -> None:
        async with self._locks[owner]:
            store = self._stores.pop(owner, None)
            if store is not None:
                await store.close()
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

    async def _open(self, owner: str, folder: Path) -> EncryptedStore:
        key = await self._vault.store_key(owner)
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        database = await Database.open(folder / DATABASE, key, (COMPONENT,))
        return EncryptedStore(database, clock=self._clock, device=self._device)
