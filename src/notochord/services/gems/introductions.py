"""The introduction of a gem: which files of `docs/` are what, and their text as it was installed (DOCS rows)."""

import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.gems.api import MAX_DOCUMENT_BYTES, DocumentKind, GemDocument
from notochord.services.gems.integrity import changed
from notochord.services.gems.manifest import FileRecord

FOLDER = "docs/"
MOST = 1_000
"""Documents that are told of; a package may hold more files than anybody reads."""

_LANGUAGE = r"(?P<language>[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*)"
_FORMS = (
    (DocumentKind.README, re.compile(rf"(?P<name>README)\.{_LANGUAGE}\.md")),
    (DocumentKind.PROMPT, re.compile(rf"prompts/(?P<name>.+)\.{_LANGUAGE}\.md")),
    (DocumentKind.EXAMPLE, re.compile(rf"examples/(?P<name>.+)\.{_LANGUAGE}\.md")),
)


def documents_among(files: Iterable[str]) -> tuple[GemDocument, ...]:
    """Return what an introduction is made of, by kind and name; other files in `docs/` are no part of it."""
    found = [document for path in sorted(files) if (document := document_of(path)) is not None]
    return tuple(sorted(found[:MOST], key=lambda one: (list(DocumentKind).index(one.kind), one.name, one.language)))


def read_document(folder: Path, path: str, record: FileRecord) -> str:
    """Return the text of a file that has to be as it was recorded. Blocks.

    Raises NotochordError: FILES_CHANGED, PAYLOAD_TOO_LARGE; OSError.
    """
    if record.size > MAX_DOCUMENT_BYTES:
        detail = f"{path} has {record.size} bytes; at most {MAX_DOCUMENT_BYTES} are shown"
        raise NotochordError(Code.PAYLOAD_TOO_LARGE, Fault.GUEST, detail, limit=MAX_DOCUMENT_BYTES)
    try:
        descriptor = os.open(folder / path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise changed(path, "cannot be read as the file that was installed") from error
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(record.size + 1)
    if len(content) != record.size or hashlib.sha256(content).hexdigest() != record.sha256:
        raise changed(path, "has other content")
    return content.decode(errors="replace")


def document_of(path: str) -> GemDocument | None:
    """Return what part of an introduction a file is; None for one that is never shown."""
    if not path.startswith(FOLDER):
        return None
    for kind, form in _FORMS:
        if match := form.fullmatch(path.removeprefix(FOLDER)):
            return GemDocument(kind, match["name"], match["language"], path)
    return None
