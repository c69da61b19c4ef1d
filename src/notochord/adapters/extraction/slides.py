"""PPTX: a part for each slide, in the order of the show, with its notes."""

from typing import Any

from notochord.adapters.extraction import packages
from notochord.adapters.extraction.findings import Findings
from notochord.adapters.extraction.word import text_of

MAIN = "ppt/presentation.xml"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_pptx(content: bytes, found: Findings) -> None:
    package = packages.opened(content)
    title, author = packages.core_properties(package)
    found.title(title)
    found.property("author", author)
    targets = {identifier: path for identifier, kind, path in packages.relations(package, MAIN) if kind == "slide"}
    order = _order(packages.parsed(packages.read(package, MAIN)))
    if lost := len(set(order) ^ targets.keys()):
        found.warn(f"slides that are not read, since the show and the file do not agree: {lost}")
    for number, path in enumerate((targets[slide] for slide in order if slide in targets), 1):
        pieces = [text_of(packages.parsed(packages.read(package, path)))]
        for _, kind, notes in packages.relations(package, path):
            if kind == "notesSlide":
                pieces.append(text_of(packages.parsed(packages.read(package, notes))))
        found.part(str(number), "\n\n".join(piece for piece in pieces if piece))


def _order(root: Any) -> list[str]:
    return [entry.get(_ID, "") for entry in root.iter() if str(entry.tag).rpartition("}")[2] == "sldId"]
