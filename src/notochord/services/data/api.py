"""The door to the data store of a gem: an engine that knows an owner and what it declares, not gems."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from notochord.core.caller import Caller
from notochord.core.strict_json import Json

MAX_KEY_CHARACTERS = 512
MAX_VALUE_BYTES = 1_048_576
MAX_RECORD_BYTES = 1_048_576
MAX_RESULT_BYTES = 16 * 1_048_576
MAX_BLOB_BYTES = 20 * 1_048_576
MAX_DOCUMENT_BYTES = 2 * 1_048_576
MAX_TITLE_CHARACTERS = 500
MAX_WRITES = 500
MAX_READS = 10_000
DEFAULT_LIMIT = 100
MAX_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Source:
    """An owner as it is now: who (`gem:<id>`), where its store lies, and what it declares.

    `declared` is the `data` section of its manifest, None for none. `stamp` names the version of the owner that
    declares it: what was prepared for one stamp is taken over when the store is opened under it, and dropped under any
    other.
    """

    owner: str
    folder: Path
    declared: Json = None
    stamp: str = ""


class StoredRecord(NamedTuple):
    """A record: its content is JSON, read when it is asked for. Times are milliseconds since 1970.

    A tuple, which a row of the database becomes in a quarter of the time that a dataclass takes.
    """

    id: str
    version: int
    created_at: int
    updated_at: int
    json: str

    @property
    def data(self) -> dict[str, Json]:
        return cast("dict[str, Json]", json.loads(self.json))


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry of a Log; `at` is when it was appended."""

    id: str
    at: int
    json: str

    @property
    def data(self) -> dict[str, Json]:
        return cast("dict[str, Json]", json.loads(self.json))


@dataclass(frozen=True, slots=True)
class Insert:
    """Make a record; without `id` it gets one."""

    collection: str
    data: Json
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """Merge a patch into a record, field by field; null deletes a field."""

    collection: str
    id: str
    patch: Json
    if_version: int | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Take a record out of sight."""

    collection: str
    id: str
    if_version: int | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """Add an entry to a Log."""

    log: str
    entry: Json


@dataclass(frozen=True, slots=True)
class LinkTo:
    """Make a reference between two node ids."""

    source: str
    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class Unlink:
    """Take a reference away."""

    source: str
    target: str
    kind: str


Write = Insert | Update | Delete | Append | LinkTo | Unlink


@dataclass(frozen=True, slots=True)
class Read:
    """What a transaction read: `revision` as `read` gave it, 0 for a record that was not there."""

    collection: str
    id: str
    revision: int


@dataclass(frozen=True, slots=True)
class RecordWritten:
    id: str
    version: int


@dataclass(frozen=True, slots=True)
class EntryAppended:
    id: str
    at: int


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a query: `==`, `!=`, `<`, `<=`, `>`, `>=`, `in` or `array-contains`."""

    field: str
    operator: str
    value: Json


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for in a table. `order` are fields with "asc" or "desc"; `after` is the cursor of a page."""

    collection: str
    conditions: tuple[Condition, ...] = ()
    order: tuple[tuple[str, str], ...] = ()
    limit: int = DEFAULT_LIMIT
    after: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Some records in order; `next_cursor` is empty on the last page."""

    items: tuple[StoredRecord, ...]
    next_cursor: str


@dataclass(frozen=True, slots=True)
class LogQuery:
    """What is looked for in a Log; both times are included."""

    log: str
    since: int | None = None
    until: int | None = None
    newest_first: bool = True
    limit: int = DEFAULT_LIMIT
    after: str = ""


@dataclass(frozen=True, slots=True)
class EntryPage:
    items: tuple[StoredEntry, ...]
    next_cursor: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference between two node ids; `detached` tells that its target is not there."""

    source: str
    target: str
    kind: str
    detached: bool
    created_at: int


@dataclass(frozen=True, slots=True)
class Blob:
    """What is known of a stored file; `created_at` is when it was last put."""

    hash: str
    size: int
    mime: str | None
    name: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a document: `type` is heading, paragraph, list, code, quote, table, thematic_break or html."""

    id: str
    type: str
    markdown: str


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    title: str
    blocks: tuple[Block, ...]
    created_at: int
    updated_at: int

    @property
    def markdown(self) -> str:
        """The whole text without block ids."""
        return "\n\n".join(block.markdown for block in self.blocks)


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Some documents by id; their blocks are left out."""

    items: tuple[Document, ...]
    next_cursor: str


@dataclass(frozen=True, slots=True)
class CollectionOverview:
    """One collection as a person sees it; `kind` is "table" or "log", `size` the bytes of its JSON."""

    name: str
    kind: str
    version: int
    declared: bool
    count: int
    size: int


@dataclass(frozen=True, slots=True)
class ChangeOverview:
    """One of the last changes: `what` is "added", "changed" or "deleted"."""

    at: int
    actor: str
    name: str
    kind: str
    subject: str
    what: str


@dataclass(frozen=True, slots=True)
class Overview:
    """What is in a store. Sizes are bytes; `folder_size` is everything in the folder."""

    collections: tuple[CollectionOverview, ...]
    documents: int
    blobs: int
    blob_size: int
    keys: int
    folder_size: int
    last_changes: tuple[ChangeOverview, ...] = field(default=())


class Records(Protocol):
    """Tables and Logs. Each write is checked, recorded, and on the disk when the call returns; all raise DATA_CLOSED.

    What is refused changes nothing. Reads raise NotochordError: INPUT_INVALID; writes also PAYLOAD_TOO_LARGE,
    DATA_CONFLICT, DATA_NOT_FOUND, DATA_UNIQUE, PERM_DENIED and what a full or failing disk raises.
    """

    async def insert(self, write: Insert, caller: Caller) -> RecordWritten: ...

    async def update(self, write: Update, caller: Caller) -> RecordWritten: ...

    async def delete(self, write: Delete, caller: Caller) -> bool:
        """Return whether there was such a record."""

    async def append(self, write: Append, caller: Caller) -> EntryAppended: ...

    async def get(self, collection: str, identifier: str) -> StoredRecord | None: ...

    async def read(self, collection: str, identifier: str) -> tuple[StoredRecord | None, int]:
        """Return a record and its revision, 0 if it is not there: what a transaction notes of a read."""

    async def transact(self, reads: Sequence[Read], writes: Sequence[Write], caller: Caller) -> bool:
        """Carry out all writes (at most MAX_WRITES) or none; False if a record that was read has changed since."""

    async def page(self, query: Query) -> Page:
        """Raises DATA_NEEDS_INDEX, PAYLOAD_TOO_LARGE (a page over MAX_RESULT_BYTES) too."""

    async def count(self, query: Query) -> int:
        """Return how many records meet the conditions. Raises DATA_NEEDS_INDEX too."""

    async def entries(self, query: LogQuery) -> EntryPage: ...

    def export(self, collection: str) -> AsyncIterator[str]:
        """Yield every record or entry of any collection, declared or not, as one line of JSON."""


class References(Protocol):
    """References between node ids. Raises NotochordError: INPUT_INVALID, PERM_DENIED, DATA_CLOSED."""

    async def link(self, write: LinkTo, caller: Caller) -> bool:
        """Return whether it is a new reference."""

    async def unlink(self, write: Unlink, caller: Caller) -> bool:
        """Return whether there was such a reference."""

    async def backlinks(self, target: str, *, kind: str | None = None, limit: int = DEFAULT_LIMIT) -> list[Reference]:
        """Return what points at a node, newest first."""

    async def outgoing(self, source: str, *, kind: str | None = None, limit: int = DEFAULT_LIMIT) -> list[Reference]:
        """Return what a node points at, newest first."""


class Blobs(Protocol):
    """Files by the hash of their content, encrypted. Raises NotochordError: INPUT_INVALID, DATA_CLOSED, DISK_FULL …"""

    async def put(self, content: bytes, caller: Caller, *, mime: str | None = None, name: str | None = None) -> Blob:
        """Keep a file of at most MAX_BLOB_BYTES. Raises PAYLOAD_TOO_LARGE too."""

    async def get(self, digest: str) -> tuple[Blob, bytes] | None:
        """Raises STORE_DAMAGED if a bit of it is not as it was put."""

    async def stat(self, digest: str) -> Blob | None: ...


class Documents(Protocol):
    """Markdown files by blocks. Each call is atomic. Raises NotochordError: INPUT_INVALID, PAYLOAD_TOO_LARGE,
    DATA_CONFLICT, DATA_NOT_FOUND, DATA_CLOSED, and what a full or failing disk raises."""

    async def create(self, markdown: str, caller: Caller, *, identifier: str | None, title: str) -> Document: ...

    async def get(self, identifier: str) -> Document | None: ...

    async def page(self, *, limit: int = DEFAULT_LIMIT, after: str = "") -> DocumentPage: ...

    async def update(
        self, identifier: str, markdown: str, caller: Caller, *, title: str | None = None
    ) -> tuple[str, ...]:
        """Replace the text; return the ids of all blocks."""

    async def insert_after(self, identifier: str, block: str | None, markdown: str, caller: Caller) -> tuple[str, ...]:
        """Add blocks after a block, or at the beginning; return their ids."""

    async def replace_block(self, identifier: str, block: str, markdown: str, caller: Caller) -> tuple[str, ...]:
        """Return the ids that stand in its place; the first is the block's own."""

    async def delete_block(self, identifier: str, block: str, caller: Caller) -> None: ...

    async def delete(self, identifier: str, caller: Caller) -> bool:
        """Return whether there was such a document."""


class OwnerStore(Protocol):
    """The open store of one owner (`data.db` and files beside it, encrypted with the owner's own key)."""

    @property
    def owner(self) -> str: ...

    @property
    def records(self) -> Records: ...

    @property
    def references(self) -> References: ...

    @property
    def blobs(self) -> Blobs: ...

    @property
    def documents(self) -> Documents: ...

    def node_id(self, path: str) -> str:
        """Return the node id for `rec/<collection>/<id>`, `doc/<id>`, `doc/<id>#<block>`, `blob/<hash>` or
        `log/<name>/<id>`. Raises INPUT_INVALID."""

    async def kv_get(self, key: str) -> str | None:
        """Return the value; None for a key that was never set.

        Raises NotochordError: INPUT_INVALID for a key that is empty, over MAX_KEY_CHARACTERS or has controls,
        DATA_CLOSED.
        """

    async def kv_set(self, key: str, value: str, caller: Caller) -> None:
        """Store a value of at most MAX_VALUE_BYTES as UTF-8, durably, with its change record.

        Raises NotochordError: INPUT_INVALID, PAYLOAD_TOO_LARGE, DATA_CLOSED, and what a full or failing disk raises.
        """

    async def overview(self, *, changes: int = 0) -> Overview:
        """Return what is in the store, with up to `changes` of the last changes."""


@dataclass(frozen=True, slots=True)
class MigrationJob:
    """Records of one table that go through steps (`v1_to_v2`, `v2_to_v3` …) of a module in the owner's code."""

    collection: str
    module: str
    steps: tuple[str, ...]


class Batches(Protocol):
    """Where a migration takes records from and puts them; ids and results are checked on this side."""

    async def next(self) -> list[tuple[str, str]]:
        """Return the ids and JSON of the next records, at most 500; none when all are done."""

    async def put(self, results: Sequence[tuple[str, Json]]) -> None:
        """Take the results of the batch, in its order. Raises DATA_SCHEMA for one that does not fit."""


Migrate = Callable[[MigrationJob, Batches], Awaitable[None]]
"""Runs the steps over all batches where they can do no harm. Raises DATA_SCHEMA, also for a step that is missing,
before it takes the first batch."""


class Activation(Protocol):
    """A declaration that is ready to be taken over. The store takes no writes until one of the two is called."""

    async def commit(self) -> None:
        """Make it what the store is. What fails or is interrupted here is finished when the store is opened next."""

    async def abandon(self) -> None:
        """Leave everything as it was."""


class Data(Protocol):
    """Opens stores and keeps them open."""

    def faults(self, declared: Json) -> tuple[str, ...]:
        """Return what is wrong with a `data` section, each with its place; nothing if it can be used."""

    async def store(self, source: Source) -> OwnerStore:
        """Return the owner's store, opening it at the first call.

        Raises NotochordError: PERM_INVALID, DATA_SCHEMA, DATA_UNIQUE (what is stored does not fit what is declared),
        STORE_UNREADABLE, STORE_DAMAGED, STORE_NEWER, DISK_FULL, and as the vault does.
        """

    def know(self, source: Source) -> None:
        """Tell of an owner that is there, so that its store is asked for what a cause changed, also unopened."""

    async def prepare(self, source: Source, migrate: Migrate, *, before: Source | None) -> Activation:
        """Try a declaration on what is stored under `before`, migrating a copy where a version is higher.

        Without `before` the store is opened under `source` at once. Others who want the store wait until the
        activation is committed or abandoned. Raises as `store` does; everything is as it was then.
        """

    async def remove(self, owner: str, folder: Path) -> None:
        """Close the store and destroy its key and its folder. Calls on it raise DATA_CLOSED from then on.

        What is gone already is no error, so that a removal that was interrupted can be repeated.
        """

    async def close(self) -> None:
        """Close every store. Calls on them raise DATA_CLOSED from then on."""
