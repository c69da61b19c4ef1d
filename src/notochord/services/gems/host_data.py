"""`ctx.data` on this side: tables, Logs and transactions of the gem's own store, every argument checked."""

import json
from collections.abc import Sequence
from typing import overload

from notochord.core.caller import Caller
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, decode
from notochord.services.data.api import (
    DEFAULT_LIMIT,
    MAX_READS,
    MAX_RECORD_BYTES,
    MAX_WRITES,
    Append,
    Condition,
    Delete,
    Insert,
    LinkTo,
    LogQuery,
    OwnerStore,
    Query,
    Read,
    StoredRecord,
    Unlink,
    Update,
    Write,
)
from notochord.services.gems.guest_arguments import GuestArguments, refused
from notochord.services.gems.host_data_objects import GuestObjects
from notochord.services.sandbox.api import HostAnswer, HostRequest

MAX_CONTENT_BYTES = 2 * 1_048_576
"""Only a first bound, before anything is read: the store counts the bytes of what it keeps."""

MAX_READS_BYTES = 4 * 1_048_576
MAX_CURSOR = 8 * 1_048_576
_MAX_CONDITIONS = 64

_PREFIX = "data."


class GuestData:
    """What one call may do with its gem's data: everything, under the gem's declaration (DATA-009)."""

    def __init__(self, store: OwnerStore, caller: Caller) -> None:
        self._store = store
        self._records = store.records
        self._caller = caller
        self._objects = GuestObjects(store, caller)
        self._targets = {
            "data.insert": self._insert,
            "data.update": self._update,
            "data.delete": self._delete,
            "data.get": self._get,
            "data.page": self._page,
            "data.count": self._count,
            "data.append": self._append,
            "data.entries": self._entries,
            "data.commit": self._commit,
        }

    async def answer(self, request: HostRequest) -> HostAnswer | None:
        """Do what is asked; None for a target that is not about data."""
        if not request.target.startswith(_PREFIX):
            return None
        known = self._targets.get(request.target)
        return await self._objects.answer(request) if known is None else await known(request)

    async def _insert(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"collection", "id"}))
        collection = arguments.text("collection")
        write = Insert(collection, _content(request), arguments.text_or_none("id"))
        made = await self._records.insert(write, self._caller)
        node = self._store.node_id(f"rec/{collection}/{made.id}")
        return HostAnswer({"id": made.id, "version": made.version, "nodeId": node})

    async def _update(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"collection", "id", "ifVersion"}))
        write = Update(
            arguments.text("collection"), arguments.text("id"), _content(request), arguments.whole_or_none("ifVersion")
        )
        return HostAnswer({"version": (await self._records.update(write, self._caller)).version})

    async def _delete(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"collection", "id", "ifVersion"}))
        write = Delete(arguments.text("collection"), arguments.text("id"), arguments.whole_or_none("ifVersion"))
        return HostAnswer({"deleted": await self._records.delete(write, self._caller)})

    async def _get(self, request: HostRequest) -> HostAnswer:
        """Return the record as JSON beside its revision, which a transaction notes."""
        arguments = GuestArguments(request.target, request.arguments, frozenset({"collection", "id"}))
        record, revision = await self._records.read(arguments.text("collection"), arguments.text("id"))
        return HostAnswer(revision, b"null" if record is None else _shown(record).encode())

    async def _page(self, request: HostRequest) -> HostAnswer:
        page = await self._records.page(_query(request))
        return _pages([_shown(record) for record in page.items], page.next_cursor)

    async def _count(self, request: HostRequest) -> HostAnswer:
        return HostAnswer(await self._records.count(_query(request)))

    async def _append(self, request: HostRequest) -> HostAnswer:
        log = GuestArguments(request.target, request.arguments, frozenset({"log"})).text("log")
        made = await self._records.append(Append(log, _content(request)), self._caller)
        return HostAnswer({"id": made.id, "nodeId": self._store.node_id(f"log/{log}/{made.id}")})

    async def _entries(self, request: HostRequest) -> HostAnswer:
        names = frozenset({"log", "since", "until", "limit", "order", "startAfter"})
        arguments = GuestArguments(request.target, request.arguments, names)
        order = arguments.text_or_none("order") or "desc"
        if order not in ("asc", "desc"):
            raise refused("order must be 'asc' or 'desc'")
        page = await self._records.entries(
            LogQuery(
                log=arguments.text("log"),
                since=arguments.whole_or_none("since"),
                until=arguments.whole_or_none("until"),
                newest_first=order == "desc",
                limit=_limit(arguments),
                after=arguments.text_or_none("startAfter", limit=MAX_CURSOR) or "",
            )
        )
        lines = [f'{{"id":"{one.id}","at":{one.at},"data":{one.json}}}' for one in page.items]
        return _pages(lines, page.next_cursor)

    async def _commit(self, request: HostRequest) -> HostAnswer:
        """Carry a transaction out: the first line has what it read, each other line is one write."""
        GuestArguments(request.target, request.arguments, frozenset())
        first, *lines = (request.attachment or b"[]").split(b"\n")
        if len(lines) > MAX_WRITES:
            raise refused(f"a transaction holds at most {MAX_WRITES} writes")
        if len(first) > MAX_READS_BYTES:
            raise _too_large("what a transaction read", MAX_READS_BYTES)
        done = await self._records.transact(_reads(_decoded(first)), _Writes(lines), self._caller)
        return HostAnswer({"committed": done})


class _Writes(Sequence[Write]):
    """The writes of a transaction, each read from its line when its turn comes: all at once might not fit."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> Write: ...

    @overload
    def __getitem__(self, index: slice) -> "_Writes": ...

    def __getitem__(self, index: int | slice) -> "Write | _Writes":
        if isinstance(index, slice):
            return _Writes(self._lines[index])
        line = self._lines[index]
        if len(line) > MAX_CONTENT_BYTES:
            raise _too_large()
        return _write(_decoded(line))


def _write(value: Json) -> Write:
    match value:
        case ["insert", str(collection), data, str() | None as identifier]:
            return Insert(collection, data, identifier)
        case ["update", str(collection), str(identifier), patch, version]:
            return Update(collection, identifier, patch, _version(version))
        case ["delete", str(collection), str(identifier), version]:
            return Delete(collection, identifier, _version(version))
        case ["append", str(log), entry]:
            return Append(log, entry)
        case ["link", str(source), str(target), str(kind)]:
            return LinkTo(source, target, kind)
        case ["unlink", str(source), str(target), str(kind)]:
            return Unlink(source, target, kind)
        case _:
            raise refused("a transaction holds insert, update, delete, append, link and unlink, with ids as strings")


def _reads(value: Json) -> list[Read]:
    if not isinstance(value, list) or len(value) > MAX_READS:
        raise refused(f"a transaction reads at most {MAX_READS} records")
    found = []
    for item in value:
        match item:
            case [str(collection), str(identifier), int(revision)]:
                found.append(Read(collection, identifier, revision))
            case _:
                raise refused("data.commit: a read is a collection, an id and a revision")
    return found


def _version(value: Json) -> int | None:
    if value is None or (type(value) is int and abs(value) <= 2**53):
        return value
    raise refused("ifVersion must be an integer")


def _query(request: HostRequest) -> Query:
    names = frozenset({"collection", "where", "orderBy", "limit", "startAfter"})
    arguments = GuestArguments(request.target, request.arguments, names)
    return Query(
        collection=arguments.text("collection"),
        conditions=tuple(_condition(item) for item in _short(arguments.listed("where"))),
        order=tuple(_order(item) for item in _short(arguments.listed("orderBy"))),
        limit=_limit(arguments),
        after=arguments.text_or_none("startAfter", limit=MAX_CURSOR) or "",
    )


def _short(items: list[Json]) -> list[Json]:
    if len(items) > _MAX_CONDITIONS:
        raise refused("the query has too many conditions or sort fields")
    return items


def _condition(item: Json) -> Condition:
    match item:
        case [str(field), str(operator), value]:
            return Condition(field, operator, value)
        case _:
            raise refused("where takes the name of a field, an operator and a value")


def _order(item: Json) -> tuple[str, str]:
    match item:
        case [str(field), str(direction)]:
            return field, direction
        case _:
            raise refused("orderBy takes the name of a field and 'asc' or 'desc'")


def _limit(arguments: GuestArguments) -> int:
    limit = arguments.whole_or_none("limit")
    return DEFAULT_LIMIT if limit is None else limit


def _content(request: HostRequest) -> Json:
    content = request.attachment
    if content is None:
        raise refused(f"{request.target}: the content is missing")
    if len(content) > MAX_CONTENT_BYTES:
        raise _too_large()
    return _decoded(content)


def _decoded(content: bytes) -> Json:
    try:
        return decode(content)
    except ValueError as error:
        raise refused(f"the content is not JSON: {error}") from error


def _too_large(what: str = "a record or an entry", limit: int = MAX_RECORD_BYTES) -> NotochordError:
    detail = f"{what} has at most {limit} bytes of JSON"
    return NotochordError(Code.PAYLOAD_TOO_LARGE, Fault.GUEST, detail, limit=limit)


def _shown(record: StoredRecord) -> str:
    """Return a record as JSON; an id has no character that JSON would write in another way."""
    return (
        f'{{"id":"{record.id}","version":{record.version},"createdAt":{record.created_at},'
        f'"updatedAt":{record.updated_at},"data":{record.json}}}'
    )


def _pages(items: list[str], cursor: str) -> HostAnswer:
    following = f',"nextCursor":{json.dumps(cursor)}' if cursor else ""
    return HostAnswer(None, f'{{"items":[{",".join(items)}]{following}}}'.encode())
