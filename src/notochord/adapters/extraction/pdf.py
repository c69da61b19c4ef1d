"""PDF: a part for each page with the text that it carries; pictures of text are told apart."""

from typing import Any

import pypdfium2
from pypdfium2 import PdfiumError

from notochord.adapters.extraction.failures import Unreadable, Why
from notochord.adapters.extraction.findings import Findings, paragraphs

MAX_PAGES = 3_000
FEWEST_CHARACTERS = 10
"""A page with fewer than these, spaces not counted, has no text (OPEN-078)."""

_PASSWORD = "password"
_END, _END_WITHIN = b"%%EOF", 2_048


def read_pdf(content: bytes, found: Findings) -> None:
    try:
        document: Any = pypdfium2.PdfDocument(content)
        count = len(document)
    except PdfiumError as error:
        why = Why.ENCRYPTED if _PASSWORD in str(error).lower() else Why.DAMAGED
        raise Unreadable(why, f"the document cannot be opened: {error}") from error
    if _END not in content[-_END_WITHIN:]:
        found.warn("the file does not end as a PDF does: it may have been cut, and pages may be missing")
    for key, name in (("Title", "title"), ("Author", "author")):
        _name(document, key, name, found)
    if count > MAX_PAGES:
        found.truncated = True
    empty: list[int] = []
    for number in range(min(count, MAX_PAGES)):
        text = _page(document, number, found)
        if len("".join(text.split())) < FEWEST_CHARACTERS:
            empty.append(number + 1)
        found.part(str(number + 1), text)
    if len(empty) == min(count, MAX_PAGES):
        raise Unreadable(Why.NO_TEXT, f"none of its {len(empty)} pages has text; they may be scanned")
    if empty:
        shown = ", ".join(str(number) for number in empty[:20])
        found.warn(f"{len(empty)} of {count} pages have no text and may be scanned: {shown}")


def _name(document: Any, key: str, name: str, found: Findings) -> None:
    try:
        value = document.get_metadata_value(key)
    except PdfiumError:
        return
    if name == "title":
        found.title(value)
    else:
        found.property(name, value)


def _page(document: Any, number: int, found: Findings) -> str:
    try:
        page = document[number]
        text = page.get_textpage()
        shown = str(text.get_text_bounded())
        text.close()
        page.close()
    except PdfiumError:
        found.warn(f"page {number + 1} cannot be read")
        return ""
    return paragraphs(shown.replace("\r\n", "\n").replace("\ufffe", "-").strip())
