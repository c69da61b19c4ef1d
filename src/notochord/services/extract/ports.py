"""What extraction needs from outside: a confined process that reads one document."""

from typing import Protocol

from notochord.services.extract.api import MAX_CHARACTERS as MAX_CHARACTERS
from notochord.services.extract.api import Attachment as Attachment
from notochord.services.extract.api import Document as Document
from notochord.services.extract.api import DocumentFormat as DocumentFormat
from notochord.services.extract.api import Extracted as Extracted
from notochord.services.extract.api import Part as Part


class Reader(Protocol):
    """Reads one document in a process that has its bytes and nothing else."""

    async def read(self, document: Document) -> Extracted:
        """Return the text. Raises as `Extract.extract` does; cancelling it ends the process."""

    async def close(self) -> None:
        """End all processes."""
