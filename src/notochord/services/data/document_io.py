"""How a document comes to its file and back: prepared, recorded, put in place; edits outside are taken over."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from notochord.core.caller import Actor, Caller
from notochord.core.clock import Clock
from notochord.core.ids import IdMaker
from notochord.persistence.bare import BareConnection
from notochord.persistence.changeover import Boundary
from notochord.persistence.failures import translated
from notochord.services.data import changes, markdown_blocks
from notochord.services.data.access import Access
from notochord.services.data.api import MAX_DOCUMENT_BYTES, Block, Document
from notochord.services.data.changes import ChangeRecorder
from notochord.services.data.document_files import DocumentFiles
from notochord.services.data.document_rows import DocumentRow, difference, digest_of, known_blocks, put_row, row_of
from notochord.services.data.validation import invalid, too_large

OUTSIDE = Caller(Actor.USER, "edited outside")
"""Who a change of a file outside the program is put down to."""


class DocumentIo:
    """Reads and writes whole documents; who calls lets nobody else write meanwhile."""

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

    def new_id(self) -> str:
        """Return an id for a block."""
        return f"b_{self._ids.new()}"

    async def write(self, before: Document | None, after: Document, caller: Caller) -> Document:
        """Write a document: prepare the file, record it, put it in place. The record is the moment it happens."""
        blocks, text = await asyncio.to_thread(markdown_blocks.composed, after.blocks)
        after = replace(after, blocks=tuple(blocks), updated_at=self._clock.milliseconds())
        check_size(after.markdown)
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

    async def current(self, identifier: str, *, inside: bool = True) -> Document | None:
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
        check_size(document.markdown)
        known = await self._access.read(lambda connection: known_blocks(connection, document.id))
        blocks = await asyncio.to_thread(_matched, document.blocks, known, self.new_id)
        seen = replace(document, blocks=())
        return await self.write(seen, replace(document, blocks=tuple(blocks)), OUTSIDE)

    async def drop_strays(self) -> None:
        """Put in place what a kill left beside it, and delete what was never recorded."""
        pending = await self._access.read(
            lambda connection: dict(connection.execute("SELECT pending, id FROM documents WHERE pending <> ''"))
        )
        await asyncio.to_thread(self._settle, pending)

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

    def present(self, rows: Sequence[DocumentRow]) -> Sequence[DocumentRow]:
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


def check_size(markdown: str) -> None:
    if size_of(markdown) > MAX_DOCUMENT_BYTES:
        raise too_large(f"a document has at most {MAX_DOCUMENT_BYTES} bytes", MAX_DOCUMENT_BYTES)


def size_of(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        raise invalid("a text holds half a character (a lone surrogate)") from None
