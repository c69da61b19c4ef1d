"""Mutated documents of every kind: each ends in text or in a code, never in a hang or a traceback."""

import asyncio
import io
import random
from email.message import EmailMessage

import pytest
from openpyxl import Workbook

from adapters.extraction.conftest import Read
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.extract.ports import DocumentFormat
from support.extraction import docx, paragraph, pdf, zipped

AT_ONCE = 4
CODES = {
    Code.EXTRACT_UNSUPPORTED,
    Code.EXTRACT_ENCRYPTED,
    Code.EXTRACT_NO_TEXT,
    Code.EXTRACT_DAMAGED,
    Code.EXTRACT_LIMIT,
    Code.EXTRACT_FAILED,
}


def workbook() -> bytes:
    made, buffer = Workbook(), io.BytesIO()
    for row in range(20):
        made.active.append([row, f"text {row}", row / 3])
    made.save(buffer)
    return buffer.getvalue()


def mail() -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "a@example.com", "b@example.com", "Grüße"
    made.set_content("Hallo")
    made.add_attachment(bytes(range(256)), maintype="application", subtype="zip", filename="ä.zip")
    return made.as_bytes()


GOOD = {
    "pdf": pdf(["A page of words here", "And another page"]),
    "docx": docx(paragraph("words") * 20),
    "xlsx": workbook(),
    "html": b"<html><head><title>T</title></head><body>" + b"<p>Words of a page</p>" * 20,
    "csv": b'a;b;"c"\n' * 50,
    "eml": mail(),
    "stored": zipped(
        {"word/document.xml": docx(paragraph("x"))[:300], "[Content_Types].xml": "<Types/>"}, packed=False
    ),
}


def mutated(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 2, 5, 20))):
        place = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0:
                changed[place] = chance.randrange(256)
            case 1:
                del changed[place : place + chance.randrange(1, 50)]
            case 2:
                changed[place:place] = changed[: chance.randrange(1, 200)]
            case _:
                changed[place : place + 4] = chance.randbytes(4)
        if not changed:
            return content
    return bytes(changed)


async def outcome(read: Read, content: bytes, name: str) -> str:
    try:
        return (await read(content, name)).format
    except NotochordError as error:
        return error.code


@pytest.mark.long
@pytest.mark.parametrize("kind", GOOD)
async def test_every_mutation_ends_in_text_or_a_code(read: Read, kind: str) -> None:
    chance = random.Random(kind)
    for _ in range(25):
        batch = [mutated(GOOD[kind], chance) for _ in range(AT_ONCE)]
        outcomes = await asyncio.gather(*(outcome(read, content, f"x.{kind}") for content in batch))
        assert set(outcomes) <= {*CODES, *DocumentFormat}
