"""The door to the text of documents: bytes in, parts with text out, whatever the bytes are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

MAX_BYTES = 50 * 1024 * 1024
"""Of a document; larger ones are refused before they are read."""

MAX_CHARACTERS = 4_000_000
"""Of all texts and cells of one answer; the rest is left out, and `truncated` says so."""


class DocumentFormat(StrEnum):
    """What a document is read as."""

    PDF = "pdf"
    DOCX = "docx"
    XLSX = "xlsx"
    PPTX = "pptx"
    HTML = "html"
    CSV = "csv"
    EML = "eml"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Document:
    """A document to read. Name and media type are hints, which the content overrules; `format` is the caller's word.

    `encoding` is for texts, CSV and HTML whose encoding the caller knows.
    """

    content: bytes
    name: str = ""
    media_type: str = ""
    format: DocumentFormat | None = None
    encoding: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A page, a sheet, a slide, or all of a document without such parts; `rows` are a table's cells, as text."""

    name: str
    text: str
    rows: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    """What a mail carries besides its text, without its content."""

    filename: str
    mime_type: str
    size: int


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of a document. `warnings` say in English what of it was not read, or is not certain."""

    format: DocumentFormat
    title: str
    parts: tuple[Part, ...]
    properties: Mapping[str, str] = field(default_factory=dict)
    """What is known of it by a name: `author`; of a mail `from`, `to`, `cc` and `date`."""

    attachments: tuple[Attachment, ...] = ()
    warnings: tuple[str, ...] = ()
    truncated: bool = False


class Extract(Protocol):
    """Reads documents, each in a process of its own that can do nothing else."""

    async def extract(self, document: Document) -> Extracted:
        """Return the text of a document.

        Raises NotochordError: PAYLOAD_TOO_LARGE, EXTRACT_EMPTY (no bytes), EXTRACT_UNSUPPORTED (no kind that is read),
        EXTRACT_ENCRYPTED (needs a password), EXTRACT_NO_TEXT (pictures of text), EXTRACT_DAMAGED, EXTRACT_LIMIT (takes
        more memory or time than a document may), EXTRACT_FAILED (the reading process ended by itself).
        """

    async def close(self) -> None:
        """End what is being read."""
