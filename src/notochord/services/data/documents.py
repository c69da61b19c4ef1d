"""Documents: Markdown files by blocks with stable ids, each call atomic, edits from outside taken over."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from notochord.core.caller import Actor, Caller
from notochord.core.clock import Clock
from notochord.core.ids import IdMaker
from notochord.persistence.bare import BareConnection
from notochord.persistence.failures import translated
from notochord.services.data import changes, markdown_blocks
from notochord.services.data.access import Access
from notochord.services.data.api import (
    DEFAULT_LIMIT,
    MAX_DOCUMENT_BYTES,
    MAX_LIMIT,
    MAX_TITLE_CHARACTERS,
    Block,
    Document,
    DocumentPage,
)
from notochord.services.data.changeover import Boundary
from notochord.services.data.changes import ChangeRecorder
from notochord.services.data.document_files import DocumentFiles
from notochord.services.data.document_rows import (
    DocumentRow,
    difference,
    digest_of,
    holder_of,
    known_blocks,
    put_row,
    restored,
    row_of,
    rows_after,
)
from notochord.services.data.queries import check_limit
from notochord.services.data.records import conflict, not_found
from notochord.services.data.validation import check_id, invalid, too_large

OUTSIDE = Caller(Actor.USER, "edited outside")
"""Who a change of a file outside the program is put down to."""


class StoredDocuments:
    """The documents of one store. One call at a time writes; the file is what counts, the store knows its digest."""

    def __init__(
        self,
        access: Access,
        files: DocumentFiles,
        *,
        recorder: ChangeRecorder,
        ids: IdMaker,
        clock: Clock,
        boundary: Boundary,
    ) -> None:
        self._access = access
        self._files = files
        self._recorder = recorder
        self._ids = ids
        self._clock = clock
        self._boundary = boundary
        self._turn = asyncio.Lock()

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
            return await self._write(None, Document(name, title, tuple(blocks), now, now), caller)

    async def get(self, identifier: str) -> Document | None:
        check_id(identifier)
        async with self._turn:
            return await self._current(identifier, inside=False)

    async def page(self, *, limit: int = DEFAULT_LIMIT, after: str = "") -> DocumentPage:
        if not 1 <= check_limit(limit) <= MAX_LIMIT:
            raise invalid(f"limit must be from 1 to {MAX_LIMIT}")
        if after:
            check_id(after)
        found: list[Document] = []
        while True:
            rows = await self._access.read(partial(rows_after, after=after, limit=limit + 1))
            for row in await asyncio.to_thread(self._present, rows):
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
            document = await self._current(identifier)
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
            document = await self._current(identifier)
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
            await self._write(document, replace(document, title=title, blocks=tuple(blocks)), caller)
            return True

    async def drop_strays(self) -> None:
        """Put in place what a kill left beside it, and delete what was never recorded."""
        pending = await self._access.read(
            lambda connection: dict(connection.execute("SELECT pending, id FROM documents WHERE pending <> ''"))
        )
        async with self._turn:
            await asyncio.to_thread(self._settle, pending)

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
            document = await self._current(identifier)
            if document is None:
                raise not_found(f"there is no document {identifier!r}")
            edited = await asyncio.to_thread(edit, document)
            return await self._write(document, edited, caller)

    async def _write(self, before: Document | None, after: Document, caller: Caller) -> Document:
        """Write a document: prepare the file, record it, put it in place. The record is the moment it happens."""
        blocks, text = await asyncio.to_thread(markdown_blocks.composed, after.blocks)
        after = replace(after, blocks=tuple(blocks), updated_at=self._clock.milliseconds())
        _check_size(after.markdown)
        name, digest = await asyncio.to_thread(self._prepared, text)
        self._boundary("document prepared")
        row = DocumentRow(after.id, after.title, after.created_at, after.updated_at, False, digest, name)
        told = difference(before, after)

        def work(connection: BareConnection) -> None:
            self._recorder.record(connection, caller, changes.DOCUMENT, after.id, *told)
            put_row(connection, row, after.blocks)

        try:
            await self._access.commit(work)
        except Exception:
            await asyncio.to_thread(self._files.drop, name)
            raise
        self._boundary("document recorded")
        await asyncio.to_thread(self._put, name, after.id)
        return after

    async def _current(self, identifier: str, *, inside: bool = True) -> Document | None:
        """Return the document as its file has it, after taking over what was changed outside.

        `inside` tells that a change-over of the store is being held off already.
        """
        row = await self._access.read(lambda connection: row_of(connection, identifier))
        if row is None or row.deleted:
            return None
        found = await asyncio.to_thread(self._read, row)
        if found is None:
            return None
        text, digest = found
        blocks = await asyncio.to_thread(markdown_blocks.read_file, text)
        document = Document(row.id, row.title, tuple(blocks), row.created_at, row.updated_at)
        if digest == row.digest:
            return document
        if inside:
            return await self._take_over(document)
        async with self._access.writing(OUTSIDE):
            return await self._take_over(document)

    async def _take_over(self, document: Document) -> Document:
        """Give the blocks of a file that was edited outside their ids, and write it in order."""
        _check_size(document.markdown)
        known = await self._access.read(lambda connection: known_blocks(connection, document.id))
        blocks = await asyncio.to_thread(_matched, document.blocks, known, self._new_id)
        seen = replace(document, blocks=())
        return await self._write(seen, replace(document, blocks=tuple(blocks)), OUTSIDE)

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
        return await self._current(identifier) is None

    def _blocks(self, markdown: str, known: Sequence[Block]) -> list[Block]:
        _check_size(markdown)
        return markdown_blocks.identified(markdown_blocks.split(markdown), known, self._new_id)

    def _new(self, markdown: str) -> list[Block]:
        """Return new blocks. Raises INPUT_INVALID for a text without any."""
        blocks = self._blocks(markdown, ())
        if not blocks:
            raise invalid("markdown has no block")
        return blocks

    def _new_id(self) -> str:
        return f"b_{self._ids.new()}"

    def _prepared(self, text: str) -> tuple[str, str]:
        with translated(self._access.database.path.with_name("docs")):
            return self._files.prepare(text)

    def _put(self, name: str, identifier: str) -> None:
        with translated(self._access.database.path.with_name("docs")):
            self._files.put(name, identifier)

    def _read(self, row: DocumentRow) -> tuple[str, str] | None:
        with translated(self._access.database.path.with_name("docs")):
            if row.pending:
                self._files.put(row.pending, row.id)
            return self._files.read(row.id)

    def _present(self, rows: Sequence[DocumentRow]) -> Sequence[DocumentRow]:
        for row in rows:
            if row.pending:
                self._put(row.pending, row.id)
        return [row for row in rows if self._files.is_there(row.id)]

    def _settle(self, pending: dict[str, str]) -> None:
        for name, identifier in pending.items():
            self._put(name, identifier)
        with translated(self._access.database.path.with_name("docs")):
            self._files.sweep(set(pending))


def _matched(blocks: Sequence[Block], known: Sequence[tuple[str, str]], new_id: Callable[[], str]) -> list[Block]:
    """Give blocks without an id the id of a known block of the same content that is missing."""
    contents = {digest_of(block): block.markdown for block in blocks}
    missing = [Block(identifier, "", contents[digest]) for identifier, digest in known if digest in contents]
    return markdown_blocks.identified(blocks, missing, new_id)


def _position(document: Document, block: str) -> int:
    for place, found in enumerate(document.blocks):
        if found.id == block:
            return place
    raise not_found(f"the document {document.id!r} has no block {block[:80]!r}")


def _check_title(title: str) -> None:
    if len(title) > MAX_TITLE_CHARACTERS:
        raise invalid(f"a title has at most {MAX_TITLE_CHARACTERS} characters")
    _size(title)


def _check_size(markdown: str) -> None:
    if _size(markdown) > MAX_DOCUMENT_BYTES:
        raise too_large(f"a document has at most {MAX_DOCUMENT_BYTES} bytes", MAX_DOCUMENT_BYTES)


def _size(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        raise invalid("a text holds half a character (a lone surrogate)") from None
