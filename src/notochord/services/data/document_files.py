"""The Markdown files of documents: prepared beside their place, and put there once the record of it is on the disk."""

import hashlib
import os
import re
import secrets
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.atomic_files import flush_folder
from notochord.persistence.given_files import open_given
from notochord.services.data.api import MAX_DOCUMENT_BYTES
from notochord.services.data.validation import too_large

MAX_FILE_BYTES = 4 * MAX_DOCUMENT_BYTES
"""With its marks, a document of very many blocks is longer than its text."""

_PART = re.compile(r"\.[0-9a-f]{32}\.part")
_RESERVED = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9])", re.IGNORECASE)


class DocumentFiles:
    """The folder `docs`, one `<id>.md` for each document. Methods block and raise OSError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, identifier: str) -> Path:
        """Return a document's file; names that Windows keeps to itself begin with ~ there."""
        reserved = os.name == "nt" and _RESERVED.fullmatch(identifier)
        return self._folder / f"{'~' if reserved else ''}{identifier}.md"

    def prepare(self, text: str) -> tuple[str, str]:
        """Write a text beside its place, durably; return the name it has until `put`, and its digest."""
        if not self._folder.is_dir():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            flush_folder(self._folder.parent)
        name = f".{secrets.token_hex(16)}.part"
        content = text.encode()
        try:
            with (self._folder / name).open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            flush_folder(self._folder)
        except BaseException:
            self.drop(name)
            raise
        return name, hashlib.sha256(content).hexdigest()

    def put(self, name: str, identifier: str) -> None:
        """Put a prepared text in its place; one that was put already is no error."""
        try:
            (self._folder / name).replace(self.path(identifier))
        except FileNotFoundError:
            return
        flush_folder(self._folder)

    def drop(self, name: str) -> None:
        (self._folder / name).unlink(missing_ok=True)

    def read(self, identifier: str) -> tuple[str, str] | None:
        """Return a document's text and digest; None if the file is gone.

        Raises NotochordError: PAYLOAD_TOO_LARGE, STORE_DAMAGED for what is no text.
        """
        try:
            with open_given(self.path(identifier)) as file:
                content = file.read(MAX_FILE_BYTES + 1)
        except FileNotFoundError:
            return None
        if len(content) > MAX_FILE_BYTES:
            raise too_large(f"the file of the document is over {MAX_DOCUMENT_BYTES} bytes", MAX_DOCUMENT_BYTES)
        try:
            return content.decode(), hashlib.sha256(content).hexdigest()
        except UnicodeDecodeError as error:
            name = self.path(identifier).name
            raise NotochordError(Code.STORE_DAMAGED, Fault.USER, "the file is not UTF-8 text", path=name) from error

    def is_there(self, identifier: str) -> bool:
        return self.path(identifier).is_file()

    def sweep(self, pending: set[str]) -> None:
        """Delete texts that were prepared and never recorded."""
        if not self._folder.is_dir():
            return
        with os.scandir(self._folder) as found:
            strays = [entry.path for entry in found if _PART.fullmatch(entry.name) and entry.name not in pending]
        for stray in strays:
            Path(stray).unlink(missing_ok=True)
