"""Opens the store of an owner: takes over what waits for its version, and makes the database what is declared."""

import asyncio

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.bare import bare
from notochord.persistence.changeover import Changeover
from notochord.persistence.database import Database
from notochord.persistence.failures import translated
from notochord.services.data import catalog
from notochord.services.data.api import Source
from notochord.services.data.catalog import Catalog
from notochord.services.data.compatibility import schema_error
from notochord.services.data.component import COMPONENT
from notochord.services.data.declaration import NOTHING, Declaration
from notochord.services.data.parsing import parse
from notochord.services.data.store import EncryptedStore, Surroundings

DATABASE = "data.db"

CACHE_KIBIBYTES = 8 * 1024
"""For each connection of a store, of which many may be open at once; the inner pages of the indexes of millions of
records find room in it."""

_SHOWN = 20


def declaration_of(source: Source) -> Declaration:
    """Return what an owner declares. Raises PERM_INVALID with a line for each fault."""
    if source.declared is None:
        return NOTHING
    declaration, faults = parse(source.declared)
    if faults:
        detail = "\n".join(f"data: {fault}" for fault in faults[:_SHOWN])
        raise NotochordError(Code.PERM_INVALID, Fault.USER, detail, reason=detail)
    return declaration


async def open_store(source: Source, key: bytes, surroundings: Surroundings) -> EncryptedStore:
    """Open an owner's store from its files. Raises as `Data.store` does."""
    now = surroundings.clock.milliseconds()

    def prepare() -> None:
        with translated(source.folder):
            source.folder.mkdir(parents=True, exist_ok=True)
            Changeover(source.folder / DATABASE, source.stamp).settle(now, surroundings.boundary)

    await asyncio.to_thread(prepare)
    database = await Database.open(
        Changeover(source.folder / DATABASE, source.stamp).database, key, (COMPONENT,), cache=CACHE_KIBIBYTES
    )
    return await open_on(database, source, key, surroundings)


async def open_on(database: Database, source: Source, key: bytes, surroundings: Surroundings) -> EncryptedStore:
    """Make an open database the store of an owner; it is closed if that fails."""
    try:
        declaration = declaration_of(source)
        numbers = await _applied(database, declaration)
    except BaseException:
        await database.close()
        raise
    store = EncryptedStore(
        database, source=source, catalog=Catalog(declaration, numbers), key=key, surroundings=surroundings
    )
    try:
        await store.start()
    except BaseException:
        await store.close()
        raise
    return store


async def _applied(database: Database, declaration: Declaration) -> dict[str, int]:
    """Make the database what is declared, where it is not; return the numbers of the collections."""
    if not await database.read(lambda connection: catalog.is_applied(bare(connection), declaration)):
        stored = await database.read(lambda connection: catalog.stored_collections(bare(connection)))
        if names := catalog.to_migrate(stored, declaration):
            raise schema_error(f"{', '.join(names)}: the stored records have to be migrated first")
        await database.write(lambda connection: catalog.apply(bare(connection), declaration))
    return await database.read(lambda connection: catalog.numbers_of(bare(connection)))
