"""DOCX: the words of the body, of nested tables and text boxes, of notes, headers and footers."""

from typing import Any

from notochord.adapters.extraction import packages
from notochord.adapters.extraction.findings import Findings, paragraphs

MAIN = "word/document.xml"
_BESIDE = ("header", "footnotes", "endnotes", "footer")
_BREAKS = frozenset({"br", "cr"})
_LEFT_OUT = frozenset({"delText", "instrText", "Fallback", "rPr", "pPr", "sectPr", "tblPr", "del", "moveFrom"})
"""What is no text of the document: deleted words, the program of fields, and the same drawing a second time."""


def read_docx(content: bytes, found: Findings) -> None:
    package = packages.opened(content)
    title, author = packages.core_properties(package)
    found.title(title)
    found.property("author", author)
    main = text_of(packages.parsed(packages.read(package, MAIN)))
    beside: dict[str, list[str]] = {kind: [] for kind in _BESIDE}
    for _, kind, path in packages.relations(package, MAIN):
        text = text_of(packages.parsed(packages.read(package, path))) if kind in beside else ""
        if text and text not in beside[kind]:  # the same header often stands in each section
            beside[kind].append(text)
    pieces = [*beside["header"], main, *beside["footnotes"], *beside["endnotes"], *beside["footer"]]
    found.part("", "\n\n".join(piece for piece in pieces if piece))


def text_of(root: Any) -> str:
    """Return the text below an element: a line for each paragraph, cells of a row behind tabs."""
    pieces: list[str] = []
    _gather(root, pieces)
    return paragraphs("".join(pieces))


def _gather(root: Any, pieces: list[str]) -> None:
    """Go through the tree without recursion: documents are nested as deeply as their makers like."""
    waiting: list[Any] = [root]
    while waiting:
        element = waiting.pop()
        if isinstance(element, str):
            pieces.append(element)
            continue
        if not isinstance(element.tag, str):
            continue
        name = element.tag.rpartition("}")[2]
        if name in _LEFT_OUT:
            continue
        if name == "t":
            pieces.append(element.text or "")
        elif name == "tab":
            pieces.append("\t")
        elif name in _BREAKS:
            pieces.append("\n")
        elif name in ("noBreakHyphen", "softHyphen"):
            pieces.append("-" if name == "noBreakHyphen" else "")
        else:
            waiting.append(_END.get(name, ""))
            waiting.extend(reversed(element))


_END = {"p": "\n", "tc": "\t", "tr": "\n", "txbxContent": "\n"}
