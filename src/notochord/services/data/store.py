"""The open store of one owner: everything that can be kept in it, and what keeps it tidy."""

import asyncio
import logging
from dataclasses import dataclass

from notochord.core.caller import Caller
from notochord.core.clock import Clock
from notochord.core.errors import NotochordError
from notochord.core.ids import IdMaker
from notochord.core.tasks import Lifetime
from notochord.persistence.changeover import Boundary
from notochord.persistence.database import Database
from notochord.services.data.access import Access
from notochord.services.data.api import Overview, Source
from notochord.services.data.blob_files import BlobFiles
from notochord.services.data.blobs import StoredBlobs
from notochord.services.data.catalog import Catalog
from notochord.services.data.changes import ChangeRecorder
from notochord.services.data.collections import Collections, Links
from notochord.services.data.document_files import DocumentFiles
from notochord.services.data.document_io import DocumentIo
from notochord.services.data.documents import StoredDocuments
from notochord.services.data.key_values import KeyValues
from notochord.services.data.nodes import node_of
from notochord.services.data.overview import overview, size_of_folder
from notochord.services.data.retention import Retention
from notochord.services.data.size_watch import SizeWatch
from notochord.services.data.undo import Undo
from notochord.services.journal.api import Journal

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every store of an organization works with. `device` names this computer in the change records."""

    clock: Clock
    device: str
    journal: Journal | None
    boundary: Boundary


class EncryptedStore:
    """The store of one owner under one declaration; it is told from outside when it has been closed."""

    def __init__(
        self, database: Database, *, source: Source, catalog: Catalog, key: bytes, surroundings: Surroundings
    ) -> None:
        clock, boundary = surroundings.clock, surroundings.boundary
        self.source = source
        self.access = access = Access(database, owner=source.owner, journal=surroundings.journal)
        recorder = ChangeRecorder(clock=clock, device=surroundings.device)
        ids = IdMaker(clock)
        self.records = Collections(access, owner=source.owner, catalog=catalog, recorder=recorder, ids=ids)
        self.references = Links(access, owner=source.owner, writer=self.records.writer)
        self.blobs = StoredBlobs(
            access,
            BlobFiles(source.folder / "blobs", key, clock.random_bytes),
            recorder=recorder,
            clock=clock,
            boundary=boundary,
        )
        io = DocumentIo(
            access,
            DocumentFiles(source.folder / "docs"),
            recorder=recorder,
            ids=ids,
            clock=clock,
            boundary=boundary,
        )
        self.documents = StoredDocuments(access, io, recorder=recorder, ids=ids, clock=clock)
        self.undo = Undo(
            access,
            owner=source.owner,
            catalog=catalog,
            recorder=recorder,
            writer=self.records.writer,
            documents=self.documents,
        )
        self._values = KeyValues(access, recorder)
        self._retention = Retention(access, catalog=catalog, blobs=self.blobs, clock=clock)
        self._size = SizeWatch(access, owner=source.owner, folder=source.folder, recorder=recorder)
        self._tasks = Lifetime(f"store of {source.owner}")
        self._tidying: asyncio.Task[None] | None = None

    @property
    def owner(self) -> str:
        return self.source.owner

    async def start(self) -> None:
        """Finish what a kill interrupted, and tidy up beside the calls that come."""
        await self.documents.start()
        await self.blobs.drop_strays()
        self.access.wrote = self._tidy_if_due
        self._tidying = self._tasks.start("tidy", self._tidy(measure=True))

    def node_id(self, path: str) -> str:
        return f"{self.source.owner}/{node_of(path).path}"

    async def kv_get(self, key: str) -> str | None:
        return await self._values.get(key)

    async def kv_set(self, key: str, value: str, caller: Caller) -> None:
        await self._values.set(key, value, caller)

    async def overview(self, *, changes: int = 0) -> Overview:
        size = await asyncio.to_thread(size_of_folder, self.source.folder)
        return await self.access.read(lambda connection: overview(connection, changes, size))

    async def clean(self) -> None:
        """Take away what is past its time, if a day has gone by; done by itself on opening and every day."""
        await self._retention.clean()

    async def settle(self) -> None:
        """Wait until the tidying that is under way is done."""
        if self._tidying is not None:
            await asyncio.wait([self._tidying])

    async def leave(self) -> None:
        """Refuse further calls; the database stays open for the store that takes this one's place."""
        self.access.wrote = _nothing
        await self._tasks.close()
        await self.access.leave()

    async def close(self) -> None:
        """Refuse further calls, wait for those under way and close the file."""
        self.access.wrote = _nothing
        await self._tasks.close()
        await self.access.close()

    def _tidy_if_due(self) -> None:
        if (self._retention.is_due or self._size.is_due) and (self._tidying is None or self._tidying.done()):
            self._tidying = self._tasks.start("tidy", self._tidy(measure=self._size.is_due))

    async def _tidy(self, *, measure: bool) -> None:
        try:
            if measure:
                await self._size.measure()
            await self._retention.clean()
        except NotochordError as error:
            _log.warning("the store of %s could not be tidied: %s", self.owner, error)


def _nothing() -> None:
    """What is done after a write once the store is being closed."""
