"""Tries a new declaration on what is stored, and takes it over or leaves everything as it was."""

import asyncio
from collections.abc import Callable
from enum import Enum

from sqlalchemy import Connection

from notochord.persistence.bare import bare
from notochord.persistence.changeover import Changeover
from notochord.persistence.database import Database
from notochord.persistence.failures import translated
from notochord.services.data import catalog
from notochord.services.data.access import Access
from notochord.services.data.api import Migrate, Source
from notochord.services.data.catalog import Stored
from notochord.services.data.changes import ChangeRecorder
from notochord.services.data.declaration import Declaration
from notochord.services.data.migration import Migration
from notochord.services.data.opening import CACHE_KIBIBYTES, DATABASE, declaration_of, open_on, open_store
from notochord.services.data.store import EncryptedStore, Surroundings


class _Way(Enum):
    """How a declaration is taken over."""

    IN_PLACE = "in place"
    COPY = "a migrated copy takes the database's place"


class _Rehearsed(Exception):
    """Ends the transaction of a rehearsal, so that nothing of it stays."""


class Prepared:
    """A declaration that fits what is stored. The store takes no writes until `commit` or `abandon`."""

    def __init__(
        self, store: EncryptedStore, source: Source, way: _Way, *, key: bytes, surroundings: Surroundings
    ) -> None:
        self._store = store
        self._source = source
        self._way = way
        self._key = key
        self._surroundings = surroundings

    async def commit(self) -> EncryptedStore:
        """Take the declaration over; return the store that takes the place of the one before."""
        if self._way is _Way.COPY:
            await self._store.close()
            self._surroundings.boundary("store closed")
            return await open_store(self._source, self._key, self._surroundings)
        await self._store.leave()
        return await open_on(self._store.access.database, self._source, self._key, self._surroundings)

    async def abandon(self) -> None:
        if self._way is _Way.COPY:
            await asyncio.to_thread(Changeover(self._source.folder / DATABASE, self._source.stamp).abandon)
        self._store.access.release()


async def prepare(
    store: EncryptedStore, source: Source, migrate: Migrate, *, key: bytes, surroundings: Surroundings
) -> Prepared:
    """Try the declaration of `source` on an open store. Raises DATA_SCHEMA, DATA_UNIQUE, DISK_FULL …"""
    declaration = declaration_of(source)
    await store.access.hold()
    try:
        stored = await store.access.read(catalog.stored_collections)
        names = catalog.to_migrate(stored, declaration)
        if names:
            await _migrated(source, declaration, stored, names, migrate, key, surroundings)
        else:
            await _rehearse(store.access.database, declaration)
    except BaseException:
        store.access.release()
        raise
    return Prepared(store, source, _Way.COPY if names else _Way.IN_PLACE, key=key, surroundings=surroundings)


async def _rehearse(database: Database, declaration: Declaration) -> None:
    """Do what taking over will do, and take it back: it is known then that nothing stands in its way."""
    if await database.read(lambda connection: catalog.is_applied(bare(connection), declaration)):
        return

    def work(connection: Connection) -> None:
        catalog.apply(bare(connection), declaration)
        raise _Rehearsed

    try:
        await database.write(work)
    except _Rehearsed:
        return


async def _migrated(
    source: Source,
    declaration: Declaration,
    stored: dict[str, Stored],
    names: list[str],
    migrate: Migrate,
    key: bytes,
    surroundings: Surroundings,
) -> None:
    """Make the migrated copy that waits for the owner's new version; nothing of it is left on a failure."""
    files = Changeover(source.folder / DATABASE, source.stamp)
    try:
        await asyncio.to_thread(_translated, files.copy, source)
        surroundings.boundary("copied")
        access = Access(Database(files.part, key, cache=CACHE_KIBIBYTES), owner=source.owner, journal=None)
        recorder = ChangeRecorder(clock=surroundings.clock, device=surroundings.device)
        migration = Migration(access, recorder=recorder, clock=surroundings.clock, migrate=migrate)
        try:
            await migration.run(stored, declaration, names)
        finally:
            await access.close()
        surroundings.boundary("migrated")
        await asyncio.to_thread(_translated, files.made, source)
        surroundings.boundary("copy waits")
    except BaseException:
        await asyncio.to_thread(files.abandon)
        raise


def _translated(step: Callable[[], None], source: Source) -> None:
    with translated(source.folder):
        step()
