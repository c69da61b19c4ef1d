"""What the tests of the extraction child share: the real child, one process for each document."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from notochord.adapters.extraction.worker import ExtractionChildren
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.extract.ports import Document, DocumentFormat, Extracted
from support.extraction import COMMAND

Read = Callable[..., Awaitable[Extracted]]
Refused = Callable[..., Awaitable[Code]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read a document in the real child."""
    children = ExtractionChildren(command=COMMAND, folder=tmp_path)

    async def reading(
        content: bytes,
        name: str = "",
        *,
        media_type: str = "",
        format: DocumentFormat | None = None,
        encoding: str = "",
    ) -> Extracted:
        return await children.read(Document(content, name, media_type, format, encoding))

    return reading


@pytest.fixture
def refused(read: Read) -> Refused:
    """Read a document that is refused, and return the code."""

    async def reading(*words: object, **options: object) -> Code:
        with pytest.raises(NotochordError) as caught:
            await read(*words, **options)
        return caught.value.code

    return reading
