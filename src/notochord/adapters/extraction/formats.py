"""Finds out what a document is, by its content first, and reads it."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from notochord.adapters.extraction.failures import Unreadable, Why
from notochord.adapters.extraction.findings import Findings, Full

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BINARY = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"\x7fELF", b"MZ\x90")
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*){0,5}<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_HEADER = re.compile(rb"(?:[A-Za-z][A-Za-z0-9-]{0,60}:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){3,}")
_OF_MAIL = re.compile(rb"^(?:from|received|message-id|mime-version|return-path):", re.I | re.M)
_ENDINGS = {
    "csv": "csv", "tsv": "csv", "htm": "html", "html": "html", "xhtml": "html", "eml": "eml", "pdf": "pdf",
    "docx": "docx", "xlsx": "xlsx", "xlsm": "xlsx", "pptx": "pptx",
}  # fmt: skip
_MEDIA_TYPES = {
    "text/csv": "csv", "text/tab-separated-values": "csv", "text/html": "html", "application/xhtml+xml": "html",
    "message/rfc822": "eml", "text/plain": "text", "application/pdf": "pdf",
}  # fmt: skip
_PACKAGES = {"word/document.xml": "docx", "xl/workbook.xml": "xlsx", "ppt/presentation.xml": "pptx"}
_TEXTS = frozenset({"csv", "html", "eml", "text"})


def read(order: Mapping[str, Any], content: bytes) -> Findings:
    """Find out the kind of a document and read it. Raises Unreadable."""
    kind = kind_of(order, content)
    found = Findings(kind)
    hinted = _hint(order)
    if not order["format"] and hinted not in ("", kind):
        found.warn(f"its name or media type says {hinted}, its content is {kind}")
    with suppress(Full):
        _reader(kind)(content, str(order["encoding"]), found)
    if not found.has_text and kind != "pdf":
        raise Unreadable(Why.NO_TEXT, "there is no text in it")
    return found


def kind_of(order: Mapping[str, Any], content: bytes) -> str:
    """Return the kind of a document. Raises Unreadable for one that is none of those that are read."""
    wanted, hinted, seen = str(order["format"]), _hint(order), _seen(content)
    if wanted:
        if seen in ("pdf", "zip") and wanted in _TEXTS:
            raise Unreadable(Why.UNSUPPORTED, f"its content is {seen}, which cannot be read as {wanted}")
        return wanted
    if seen == "zip":
        return _kind_of_package(content)
    if seen:
        return seen
    return hinted if hinted in _TEXTS else "text"


def _seen(content: bytes) -> str:
    """Return what the content shows by itself, empty for a text of any kind."""
    if b"%PDF-" in content[:1024]:
        return "pdf"
    if content.startswith(_ZIP):
        return "zip"
    if content.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise Unreadable(Why.ENCRYPTED, "the document needs a password")
        raise Unreadable(Why.UNSUPPORTED, "a document of an old kind; save it as DOCX, XLSX or PPTX")
    if content.startswith(_BINARY):
        raise Unreadable(Why.UNSUPPORTED, "this kind of document is not read")
    if _HTML.match(content[:8192]):
        return "html"
    header = _HEADER.match(content[:65_536])
    return "eml" if header and len(_OF_MAIL.findall(header[0])) >= 2 else ""


def _kind_of_package(content: bytes) -> str:
    from notochord.adapters.extraction import packages

    names = set(packages.opened(content).namelist())
    for name, kind in _PACKAGES.items():
        if name in names:
            return kind
    raise Unreadable(Why.UNSUPPORTED, "a zip file that is not a DOCX, XLSX or PPTX")


def _hint(order: Mapping[str, Any]) -> str:
    ending = str(order["name"]).rpartition(".")[2].lower()
    media = str(order["mediaType"]).partition(";")[0].strip().lower()
    return _ENDINGS.get(ending) or _MEDIA_TYPES.get(media, "")


def _reader(kind: str) -> Any:
    """Return the function that reads a kind; its libraries are loaded with it and no others."""
    match kind:
        case "pdf":
            from notochord.adapters.extraction.pdf import read_pdf

            return lambda content, encoding, found: read_pdf(content, found)
        case "docx":
            from notochord.adapters.extraction.word import read_docx

            return lambda content, encoding, found: read_docx(content, found)
        case "xlsx":
            from notochord.adapters.extraction.sheets import read_xlsx

            return lambda content, encoding, found: read_xlsx(content, found)
        case "pptx":
            from notochord.adapters.extraction.slides import read_pptx

            return lambda content, encoding, found: read_pptx(content, found)
        case "html":
            from notochord.adapters.extraction.web import read_html

            return read_html
        case "eml":
            from notochord.adapters.extraction.mail import read_eml

            return lambda content, encoding, found: read_eml(content, found)
        case "csv":
            from notochord.adapters.extraction.plain import read_csv

            return read_csv
        case _:
            from notochord.adapters.extraction.plain import read_text

            return read_text
