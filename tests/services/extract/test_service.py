"""Documents are read a few at a time, and none that is too large or empty reaches the reading process."""

import asyncio
from dataclasses import dataclass, field

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.extract import service
from notochord.services.extract.api import Document, DocumentFormat, Extracted
from notochord.services.extract.service import AT_ONCE, ExtractService
from support.eventually import until


@dataclass
class Waiting:
    """A reader that ends when it is told."""

    go: asyncio.Event = field(default_factory=asyncio.Event)
    reading: int = 0
    most: int = 0

    async def read(self, document: Document) -> Extracted:
        self.reading += 1
        self.most = max(self.most, self.reading)
        await self.go.wait()
        self.reading -= 1
        return Extracted(DocumentFormat.TEXT, document.name, ())

    async def close(self) -> None:
        self.go.set()


async def test_no_more_than_a_few_documents_are_read_at_once() -> None:
    reader = Waiting()
    extract = ExtractService(reader=reader)
    readings = [asyncio.create_task(extract.extract(Document(b"x", name=str(number)))) for number in range(5)]
    await until(lambda: reader.reading == AT_ONCE)
    await extract.close()
    assert [found.title for found in await asyncio.gather(*readings)] == ["0", "1", "2", "3", "4"]
    assert reader.most == AT_ONCE


async def test_a_document_that_is_too_large_or_empty_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_BYTES", 10)
    reader = Waiting()
    extract = ExtractService(reader=reader)
    for content, code in ((b"x" * 11, Code.PAYLOAD_TOO_LARGE), (b"", Code.EXTRACT_EMPTY)):
        with pytest.raises(NotochordError) as caught:
            await extract.extract(Document(content))
        assert caught.value.code is code
    assert reader.most == 0
