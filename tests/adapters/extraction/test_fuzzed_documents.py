"""Mutated documents of every kind: each ends in text or in a reason, never in a hang, a traceback or half a truth.

The short form reads in this process, with the code of the child and without its price; the long one in the real child.
"""

import asyncio
import io
import random
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest
from openpyxl import Workbook

from adapters.extraction.conftest import Read
from notochord.adapters.extraction.failures import Unreadable
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.extract.ports import DocumentFormat
from support.extraction import OFFICE, WORD, docx, paragraph, pdf, relations, zipped
from support.read_here import read_here

AT_ONCE = 4
SHORT = 80
"""Mutations of each kind in the short form."""

PARTS = ("marker0", "marker1", "marker2")
"""A word of each page, sheet, slide or paragraph: one that is missing without a word is a lie."""

CODES = {
    Code.EXTRACT_UNSUPPORTED,
    Code.EXTRACT_ENCRYPTED,
    Code.EXTRACT_NO_TEXT,
    Code.EXTRACT_DAMAGED,
    Code.EXTRACT_LIMIT,
    Code.EXTRACT_FAILED,
}
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"


def workbook() -> bytes:
    made: Any = Workbook()
    buffer = io.BytesIO()
    made.remove(made.active)
    for name in PARTS:
        sheet = made.create_sheet(f"of {name}")
        for row in range(8):
            sheet.append([name, row, f"text {row}", row / 3])
    made.save(buffer)
    return buffer.getvalue()


def show() -> bytes:
    slide = f'<p:sld xmlns:p="urn:p" xmlns:a="{DRAWING}"><a:p><a:r><a:t>{{}}</a:t></a:r></a:p></p:sld>'
    listed = "".join(f'<p:sldId r:id="{name}"/>' for name in PARTS)
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "ppt/presentation.xml": f'<p:presentation xmlns:p="urn:p" xmlns:r="{OFFICE}"><p:sldIdLst>{listed}'
            "</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations({name: ("slide", f"slides/{name}.xml") for name in PARTS}),
            **{f"ppt/slides/{name}.xml": slide.format(name) for name in PARTS},
        }
    )


def letter() -> bytes:
    notes = f'<w:footnotes xmlns:w="{WORD}">{paragraph("a note")}</w:footnotes>'
    beside = {"word/_rels/document.xml.rels": relations({"r1": ("footnotes", "notes.xml")}), "word/notes.xml": notes}
    return docx("".join(paragraph(name) for name in PARTS), beside)


def mail() -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "a@example.com", "b@example.com", "Grüße"
    made.set_content("Hallo")
    made.add_alternative("<p>Hallo <b>du</b></p>", subtype="html")
    made.add_attachment(bytes(range(256)), maintype="application", subtype="zip", filename="ä.zip")
    return made.as_bytes()


GOOD = {
    "pdf": pdf([f"The page has {name} on it" for name in PARTS]),
    "docx": letter(),
    "xlsx": workbook(),
    "pptx": show(),
    "html": b"<html><head><title>T</title><meta charset='utf-8'></head><body>"
    + b"<table><td>x</table><p>Words</p>" * 4,
    "csv": b'a;b;"c"\n' * 50,
    "eml": mail(),
    "utf-16": "Grüße, schöne Grüße".encode("utf-16"),
    "shift_jis": "東京の天気は晴れ".encode("shift_jis") * 20,
    "gb18030": "今天的会议讨论了预算和新的项目计划".encode("gb18030") * 4,
    "cp1252": "Ein Gruß, schöne Grüße".encode("cp1252") * 4,
}
PACKAGES = ("docx", "xlsx", "pptx")


def mutated(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        if not changed:
            return content
        place = chance.randrange(len(changed))
        match chance.randrange(6):
            case 0:
                changed[place] = chance.randrange(256)
            case 1:
                del changed[place : place + chance.randrange(1, 50)]
            case 2:
                changed[place:place] = changed[: chance.randrange(1, 200)]
            case 3:
                changed[place : place + 4] = chance.randbytes(4)
            case 4:
                del changed[place:]
            case _:
                changed[place] ^= 1 << chance.randrange(8)
    return bytes(changed) or content


def mutated_inside(content: bytes, chance: random.Random, of: Callable[[str], bool] = lambda name: True) -> bytes:
    """Change one file of a package, and pack it again: its checksum is right."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        files = {name: package.read(name) for name in package.namelist()}
    name = chance.choice(sorted(filter(of, files)))
    return zipped({**files, name: mutated(files[name], chance)})


def read_or_refused(content: bytes, name: str) -> str:
    """Return the format or the reason; whatever else is raised is a fault of the reader."""
    try:
        return read_here(content, name).format
    except Unreadable as error:
        return error.why
    except (MemoryError, RecursionError):
        return "limit"


def lies(content: bytes, kind: str) -> bool:
    """Tell whether a part is missing, and nobody is told."""
    try:
        found = read_here(content, f"x.{kind}")
    except Unreadable:
        return False
    text = "\n".join(part.text for part in found.parts)
    return found.format == kind and not all(name in text for name in PARTS) and not found.warnings


@pytest.mark.parametrize("kind", GOOD)
def test_whatever_is_changed_in_a_document_it_is_read_or_refused_with_a_reason(kind: str) -> None:
    chance = random.Random(kind)
    for _ in range(SHORT):
        assert read_or_refused(mutated(GOOD[kind], chance), f"x.{kind}")
    for _ in range(SHORT if kind in PACKAGES else 0):
        assert read_or_refused(mutated_inside(GOOD[kind], chance), f"x.{kind}")


@pytest.mark.parametrize("kind", PACKAGES)
def test_a_part_that_a_damaged_package_has_lost_is_told(kind: str) -> None:
    assert not lies(GOOD[kind], kind)
    chance = random.Random(f"lies {kind}")
    for number in range(SHORT):
        content = mutated(GOOD[kind], chance)
        assert not lies(content, kind), number


@pytest.mark.parametrize("kind", ["xlsx", "pptx"])
def test_a_part_that_is_named_and_cannot_be_found_is_told(kind: str) -> None:
    chance = random.Random(f"names {kind}")
    for number in range(SHORT):
        content = mutated_inside(GOOD[kind], chance, lambda name: "workbook.xml" in name or "presentation.xml" in name)
        assert not lies(content, kind), number


def test_pages_that_a_cut_file_has_lost_are_told() -> None:
    whole = GOOD["pdf"]
    for end in range(0, len(whole), 7):
        assert not lies(whole[:end], "pdf"), end


async def outcome(read: Read, content: bytes, name: str) -> str:
    try:
        return (await read(content, name)).format
    except NotochordError as error:
        return error.code


@pytest.mark.long
@pytest.mark.parametrize("kind", GOOD)
async def test_in_the_real_child_every_mutation_ends_in_text_or_a_code(read: Read, kind: str) -> None:
    chance = random.Random(f"long {kind}")
    for number in range(40):
        change = mutated_inside if kind in PACKAGES and number % 2 else mutated
        batch = [change(GOOD[kind], chance) for _ in range(AT_ONCE)]
        outcomes = await asyncio.gather(*(outcome(read, content, f"x.{kind}") for content in batch))
        assert set(outcomes) <= {*CODES, *DocumentFormat}


@pytest.mark.long
@pytest.mark.parametrize("kind", GOOD)
def test_many_mutations_are_read_or_refused(kind: str) -> None:
    chance = random.Random(f"many {kind}")
    for _ in range(5_000):
        content = mutated(GOOD[kind], chance)
        assert read_or_refused(content, f"x.{kind}")
        if kind in PACKAGES:
            assert read_or_refused(mutated_inside(GOOD[kind], chance), f"x.{kind}")
            assert not lies(content, kind)
