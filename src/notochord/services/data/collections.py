"""Tables, Logs and references of an open store, one call at a time."""

from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial

from notochord.core.caller import Caller
from notochord.core.ids import IdMaker
from notochord.persistence.bare import BareConnection
from notochord.services.data import logs, pages, references
from notochord.services.data.access import Access
from notochord.services.data.api import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    MAX_READS,
    MAX_WRITES,
    Append,
    Delete,
    EntryAppended,
    EntryPage,
    Insert,
    LinkTo,
    LogQuery,
    Page,
    Query,
    Read,
    RecordWritten,
    Reference,
    StoredRecord,
    Unlink,
    Update,
    Write,
)
from notochord.services.data.catalog import Catalog, stored_collections
from notochord.services.data.changes import ChangeRecorder
from notochord.services.data.declaration import Table
from notochord.services.data.nodes import owned
from notochord.services.data.physical import records_of
from notochord.services.data.queries import check_limit, check_query
from notochord.services.data.records import Writer, read_row
from notochord.services.data.validation import check_id, dumped, invalid

EXPORT_ROWS = 200

MakeWriter = Callable[[BareConnection, Caller], Writer]


class Collections:
    """The tables and Logs."""

    def __init__(self, access: Access, *, owner: str, catalog: Catalog, recorder: ChangeRecorder, ids: IdMaker) -> None:
        self._access = access
        self._owner = owner
        self._catalog = catalog
        self._recorder = recorder
        self._ids = ids

    def writer(self, connection: BareConnection, caller: Caller) -> Writer:
        """Return what writes in the transaction under way."""
        return Writer(
            connection,
            owner=self._owner,
            catalog=self._catalog,
            recorder=self._recorder,
            caller=caller,
            new_id=self._ids.new,
        )

    async def insert(self, write: Insert, caller: Caller) -> RecordWritten:
        return await self._access.write(lambda connection: self.writer(connection, caller).insert(write), caller)

    async def update(self, write: Update, caller: Caller) -> RecordWritten:
        return await self._access.write(lambda connection: self.writer(connection, caller).update(write), caller)

    async def delete(self, write: Delete, caller: Caller) -> bool:
        return await self._access.write(lambda connection: self.writer(connection, caller).delete(write), caller)

    async def append(self, write: Append, caller: Caller) -> EntryAppended:
        return await self._access.write(lambda connection: self.writer(connection, caller).append(write), caller)

    async def get(self, collection: str, identifier: str) -> StoredRecord | None:
        return (await self.read(collection, identifier))[0]

    async def read(self, collection: str, identifier: str) -> tuple[StoredRecord | None, int]:
        number = self._catalog.numbers[self._catalog.table(collection).name]
        check_id(identifier)
        row = await self._access.read(lambda connection: read_row(connection, number, identifier))
        return (None, 0) if row is None else (row.record, row.revision)

    async def transact(self, reads: Sequence[Read], writes: Sequence[Write], caller: Caller) -> bool:
        if len(writes) > MAX_WRITES:
            raise invalid(f"a transaction holds at most {MAX_WRITES} writes")
        if len(reads) > MAX_READS:
            raise invalid(f"a transaction reads at most {MAX_READS} records")

        def work(connection: BareConnection) -> bool:
            if not all(self._is_unchanged(connection, read) for read in reads):
                return False
            writer = self.writer(connection, caller)
            for write in writes:
                writer.write(write)
            return True

        return await (self._access.write(work, caller) if writes else self._access.read(work))

    async def page(self, query: Query) -> Page:
        table = self._catalog.table(query.collection)
        checked, number = check_query(table, query), self._catalog.numbers[table.name]
        return await self._access.read(lambda connection: pages.page(connection, number, checked))

    async def count(self, query: Query) -> int:
        table = self._catalog.table(query.collection)
        checked, number = check_query(table, query), self._catalog.numbers[table.name]
        return await self._access.read(lambda connection: pages.count(connection, number, checked))

    async def entries(self, query: LogQuery) -> EntryPage:
        number = self._catalog.numbers[self._catalog.log(query.log).name]
        logs.check_log_query(query)
        return await self._access.read(lambda connection: logs.entries(connection, number, query))

    async def export(self, collection: str) -> AsyncIterator[str]:
        """Yield the records of a table by id, or the entries of a Log in the order in which they came."""
        stored = (await self._access.read(stored_collections)).get(collection)
        if stored is None:
            raise invalid(f"the store has no collection {collection[:80]!r}")
        is_table, number, last = isinstance(stored.collection, Table), stored.number, 0
        while True:
            rows = await self._access.read(partial(_exported, is_table=is_table, number=number, last=last))
            for row in rows:
                last = row[0]
                yield _line(is_table, row)
            if len(rows) < EXPORT_ROWS:
                return

    def _is_unchanged(self, connection: BareConnection, read: Read) -> bool:
        number = self._catalog.numbers[self._catalog.table(read.collection).name]
        row = read_row(connection, number, check_id(read.id))
        return (0 if row is None else row.revision) == read.revision


class Links:
    """The references."""

    def __init__(self, access: Access, *, owner: str, writer: MakeWriter) -> None:
        self._access = access
        self._owner = owner
        self._writer = writer

    async def link(self, write: LinkTo, caller: Caller) -> bool:
        return await self._access.write(lambda connection: self._writer(connection, caller).link(write), caller)

    async def unlink(self, write: Unlink, caller: Caller) -> bool:
        return await self._access.write(lambda connection: self._writer(connection, caller).unlink(write), caller)

    async def backlinks(self, target: str, *, kind: str | None = None, limit: int = DEFAULT_LIMIT) -> list[Reference]:
        return await self._listed("target", target, kind, limit)

    async def outgoing(self, source: str, *, kind: str | None = None, limit: int = DEFAULT_LIMIT) -> list[Reference]:
        return await self._listed("source", source, kind, limit)

    async def _listed(self, end: str, node: str, kind: str | None, limit: int) -> list[Reference]:
        path = owned(self._owner, node).path
        if kind is not None:
            references.check_kind(kind, reserved=True)
        if not 1 <= check_limit(limit) <= MAX_LIMIT:
            raise invalid(f"limit must be from 1 to {MAX_LIMIT}")

        def work(connection: BareConnection) -> list[Reference]:
            found = references.listed(connection, end, path, kind=kind, limit=limit)
            there = {target: references.is_there(connection, target) for _, target, _, _ in found}
            return [
                Reference(f"{self._owner}/{source}", f"{self._owner}/{target}", named, not there[target], created)
                for source, target, named, created in found
            ]

        return await self._access.read(work)


def _exported(
    connection: BareConnection, is_table: bool, number: int, last: int
) -> list[tuple[int, str, int, int, int, str]]:
    if is_table:
        wanted = f"n, id, version, created_at, updated_at, data FROM {records_of(number)} WHERE TRUE"
    else:
        wanted = f"n, id, 0, at, at, data FROM log_entries WHERE collection = {number}"
    rows = connection.execute(f"SELECT {wanted} AND n > ? ORDER BY n LIMIT {EXPORT_ROWS}", (last,))
    return list(rows.fetchall())


def _line(is_table: bool, row: tuple[int, str, int, int, int, str]) -> str:
    _, identifier, version, created, updated, data = row
    head = f'{{"id":{dumped(identifier)},'
    if is_table:
        return f'{head}"version":{version},"createdAt":{created},"updatedAt":{updated},"data":{data}}}'
    return f'{head}"at":{created},"data":{data}}}'
