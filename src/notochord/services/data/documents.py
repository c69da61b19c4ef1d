"""Documents: Markdown files by blocks with stable ids, each call atomic, edits from outside taken over."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from notochord.core.caller import Caller
from notochord.core.clock import Clock
from notochord.core.ids import IdMaker
from notochord.persistence.bare import BareConnection
from notochord.services.data import changes, markdown_blocks
from notochord.services.data.access import Access
from notochord.services.data.api import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    MAX_TITLE_CHARACTERS,
    Block,
    Document,
    DocumentPage,
)
from notochord.services.data.changes import ChangeRecorder
from notochord.services.data.document_io import DocumentIo, check_size, size_of
from notochord.services.data.document_rows import (
    difference,
    holder_of,
    restored,
    row_of,
    rows_after,
)
from notochord.services.data.queries import check_limit
from notochord.services.data.records import conflict, not_found
from notochord.services.data.validation import check_id, invalid


class StoredDocuments:
    """The documents of one store. One call at a time writes; the file is what counts, the store knows its digest."""

    def __init__(self, access: Access, io: DocumentIo, *, recorder: ChangeRecorder, ids: IdMaker, clock: Clock) -> None:
        self._access = access
        self._io = io
        self._recorder = recorder
        self._ids = ids
        self._clock = clock
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        """Finish what a kill interrupted."""
        async with self._turn:
            await self._io.drop_strays()

    async def create(self, markdown: str, caller: Caller, *, identifier: str | None, title: str) -> Document:
        name = self._ids.new() if identifier is None else check_id(identifier)
        _check_title(title)
        blocks = await asyncio.to_thread(self._blocks, markdown, ())
        async with self._turn, self._access.writing(caller):
            holder = await self._access.read(lambda connection: holder_of(connection, name))
            if holder and holder != name:
                raise conflict(f"the document id {name!r} differs only in case from {holder!r}")
            if holder and not await self._is_gone(name):
                raise conflict(f"there is a document {name!r} already")
            now = self._clock.milliseconds()
            return await self._io.write(None, Document(name, title, tuple(blocks), now, now), caller)

    async def get(self, identifier: str) -> Document | None:
        check_id(identifier)
        async with self._turn:
            return await self._io.current(identifier, inside=False)

    async def page(self, *, limit: int = DEFAULT_LIMIT, after: str = "") -> DocumentPage:
        if not 1 <= check_limit(limit) <= MAX_LIMIT:
            raise invalid(f"limit must be from 1 to {MAX_LIMIT}")
        if after:
            check_id(after)
        found: list[Document] = []
        while True:
            rows = await self._access.read(partial(rows_after, after=after, limit=limit + 1))
            for row in await asyncio.to_thread(self._io.present, rows):
                if len(found) == limit:
                    return DocumentPage(tuple(found), found[-1].id)
                found.append(Document(row.id, row.title, (), row.created_at, row.updated_at))
            if len(rows) <= limit:
                return DocumentPage(tuple(found), "")
            after = rows[-1].id

    async def update(
        self, identifier: str, markdown: str, caller: Caller, *, title: str | None = None
    ) -> tuple[str, ...]:
        if title is not None:
            _check_title(title)

        def edit(document: Document) -> Document:
            blocks = self._blocks(markdown, document.blocks)
            return replace(document, blocks=tuple(blocks), title=document.title if title is None else title)

        return tuple(block.id for block in (await self._edit(identifier, edit, caller)).blocks)

    async def insert_after(self, identifier: str, block: str | None, markdown: str, caller: Caller) -> tuple[str, ...]:
        def edit(document: Document) -> Document:
            place = 0 if block is None else _position(document, block) + 1
            made = self._new(markdown)
            return replace(document, blocks=(*document.blocks[:place], *made, *document.blocks[place:]))

        return await self._edited(identifier, edit, caller)

    async def replace_block(self, identifier: str, block: str, markdown: str, caller: Caller) -> tuple[str, ...]:
        def edit(document: Document) -> Document:
            place = _position(document, block)
            first, *others = self._new(markdown)
            kept = Block(block, first.type, first.markdown)
            return replace(document, blocks=(*document.blocks[:place], kept, *others, *document.blocks[place + 1 :]))

        return (block, *await self._edited(identifier, edit, caller))

    async def delete_block(self, identifier: str, block: str, caller: Caller) -> None:
        def edit(document: Document) -> Document:
            place = _position(document, block)
            return replace(document, blocks=(*document.blocks[:place], *document.blocks[place + 1 :]))

        await self._edit(identifier, edit, caller)

    async def delete(self, identifier: str, caller: Caller) -> bool:
        check_id(identifier)
        async with self._turn, self._access.writing(caller):
            document = await self._io.current(identifier)
            if document is None:
                return False
            before, _ = difference(document, None)

            def work(connection: BareConnection) -> None:
                self._recorder.record(connection, caller, changes.DOCUMENT, identifier, before, None)
                connection.execute("UPDATE documents SET deleted = 1 WHERE id = ?", (identifier,))

            await self._access.commit(work)
            return True

    async def undo(self, identifier: str, before: str | None, after: str | None, caller: Caller) -> bool:
        """Take one change back; False if the document is not what the change made of it."""
        async with self._turn, self._access.writing(caller):
            document = await self._io.current(identifier)
            if after is None:
                return document is None and await self._undelete(identifier, caller)
            if document is None:
                return False
            if before is None:
                told, _ = difference(document, None)
                _, made = difference(None, document)
                if made != after:
                    return False
                await self._access.commit(lambda connection: self._mark_deleted(connection, identifier, told, caller))
                return True
            found = restored(document, after, before)
            if found is None:
                return False
            title, blocks = found
            await self._io.write(document, replace(document, title=title, blocks=tuple(blocks)), caller)
            return True

    async def _edited(self, identifier: str, edit: Callable[[Document], Document], caller: Caller) -> tuple[str, ...]:
        """Edit a document and return the ids that are new in it."""
        before: set[str] = set()

        def noting(document: Document) -> Document:
            before.update(block.id for block in document.blocks)
            return edit(document)

        after = await self._edit(identifier, noting, caller)
        return tuple(block.id for block in after.blocks if block.id not in before)

    async def _edit(self, identifier: str, edit: Callable[[Document], Document], caller: Caller) -> Document:
        check_id(identifier)
        async with self._turn, self._access.writing(caller):
            document = await self._io.current(identifier)
            if document is None:
                raise not_found(f"there is no document {identifier!r}")
            edited = await asyncio.to_thread(edit, document)
            return await self._io.write(document, edited, caller)

    async def _undelete(self, identifier: str, caller: Caller) -> bool:
        def work(connection: BareConnection) -> bool:
            row = row_of(connection, identifier)
            if row is None or not row.deleted:
                return False
            self._recorder.record(connection, caller, changes.DOCUMENT, identifier, None, "restored")
            connection.execute("UPDATE documents SET deleted = 0 WHERE id = ?", (identifier,))
            return True

        return await self._access.commit(work)

    def _mark_deleted(self, connection: BareConnection, identifier: str, told: str | None, caller: Caller) -> None:
        self._recorder.record(connection, caller, changes.DOCUMENT, identifier, told, None)
        connection.execute("UPDATE documents SET deleted = 1 WHERE id = ?", (identifier,))

    async def _is_gone(self, identifier: str) -> bool:
        return await self._io.current(identifier) is None

    def _blocks(self, markdown: str, known: Sequence[Block]) -> list[Block]:
        check_size(markdown)
        return markdown_blocks.identified(markdown_blocks.split(markdown), known, self._io.new_id)

    def _new(self, markdown: str) -> list[Block]:
        """Return new blocks. Raises INPUT_INVALID for a text without any."""
        blocks = self._blocks(markdown, ())
        if not blocks:
            raise invalid("markdown has no block")
        return blocks


def _position(document: Document, block: str) -> int:
    for place, found in enumerate(document.blocks):
        if found.id == block:
            return place
    raise not_found(f"the document {document.id!r} has no block {block[:80]!r}")


def _check_title(title: str) -> None:
    if len(title) > MAX_TITLE_CHARACTERS:
        raise invalid(f"a title has at most {MAX_TITLE_CHARACTERS} characters")
    size_of(title)
