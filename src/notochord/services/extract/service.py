"""Gives documents to the reading process, a few at a time, and none that is too large."""

import asyncio

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.extract.api import MAX_BYTES, Document, Extracted
from notochord.services.extract.ports import Reader

AT_ONCE = 2
"""Documents that are read at the same time; each may take a processor and much memory."""


class ExtractService:
    """Reads documents; see `Extract`."""

    def __init__(self, *, reader: Reader) -> None:
        self._reader = reader
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def extract(self, document: Document) -> Extracted:
        if len(document.content) > MAX_BYTES:
            raise NotochordError(
                Code.PAYLOAD_TOO_LARGE,
                Fault.USER,
                f"a document has at most {MAX_BYTES} bytes",
                limit=MAX_BYTES,
                why="why.document_too_large",
            )
        if not document.content:
            raise NotochordError(Code.EXTRACT_EMPTY, Fault.USER, "the document is empty")
        async with self._turns:
            return await self._reader.read(document)

    async def close(self) -> None:
        await self._reader.close()
