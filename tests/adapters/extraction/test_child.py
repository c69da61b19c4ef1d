"""The real child: each kind of document once, bombs and broken files, and an app that is none the worse for them."""

import asyncio
import io
import os
import struct
import sys
import zlib
from pathlib import Path

import psutil
import pytest
from openpyxl import Workbook

from adapters.extraction.conftest import Read, Refused
from notochord.adapters.children import frames
from notochord.adapters.extraction.worker import ExtractionChildren
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.extract.ports import Document
from support.eventually import until
from support.extraction import SOURCE, docx, paragraph, pdf, zipped

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
WORD = "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>{}</w:document>"


def with_doctype(entities: str, body: str) -> bytes:
    document = f"<?xml version='1.0'?><!DOCTYPE d [{entities}]>{WORD.format(body)}"
    return zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": document})


def sheet() -> bytes:
    made, buffer = Workbook(), io.BytesIO()
    made.active.append(["a", 1])
    made.save(buffer)
    return buffer.getvalue()


def lying(content: bytes) -> bytes:
    """Return a package whose files are larger than they say."""
    changed = bytearray(content)
    place = changed.find(b"PK\x01\x02")
    while place >= 0:
        struct.pack_into("<I", changed, place + 24, 10)
        place = changed.find(b"PK\x01\x02", place + 4)
    return bytes(changed)


def flate_pdf(size: int) -> bytes:
    """Return a PDF whose page unpacks to `size` bytes."""
    plain = pdf(["x"])
    packed = zlib.compress(b"(A) Tj " * (size // 7), 9)
    stream = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(packed), packed)
    start = plain.index(b"4 0 obj") + len(b"4 0 obj\n")
    return plain[:start] + stream + plain[plain.index(b"\nendobj", start) :]


def child(code: str) -> tuple[str, ...]:
    """Return the command of a child that runs this code before, or instead of, the real one."""
    return (sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(SOURCE)!r})\n{code}")


REAL = "from notochord.adapters.extraction import child\n{}\nsys.exit(child.main())"
ONE_MORE = "from notochord.adapters.children import frames\nsys.stdout.buffer.write({})"


async def refusal(reader: ExtractionChildren, content: bytes, name: str = "") -> NotochordError:
    with pytest.raises(NotochordError) as caught:
        await reader.read(Document(content, name))
    return caught.value


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (pdf(["A page of words here"]), "a.pdf", "A page of words here"),
        (docx(paragraph("A paragraph")), "a.docx", "A paragraph"),
        (sheet(), "a.xlsx", "a\t1"),
        (b"<html><body><p>A web page", "a.html", "A web page"),
        (b"a;b\n1,5;2\n", "a.csv", "a\tb\n1,5\t2"),
        (b"From: a@b.c\nTo: d@e.f\nSubject: S\n\nA mail", "a.eml", "A mail"),
        ("Ein Gruß, schöne Grüße".encode("cp1252"), "a.txt", "Ein Gruß, schöne Grüße"),
    ],
    ids=["pdf", "docx", "xlsx", "html", "csv", "eml", "text"],
)
async def test_the_confined_child_reads_every_kind(read: Read, content: bytes, name: str, expected: str) -> None:
    assert (await read(content, name)).parts[0].text.strip() == expected


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        (docx("<w:p/>" * 4_000_000), {Code.EXTRACT_LIMIT}),
        (zipped({"xl/workbook.xml": "", "xl/a": bytes(30 * 1024 * 1024)}), {Code.EXTRACT_LIMIT}),
        (zipped({"word/document.xml": "", **{str(n): "" for n in range(20_001)}}), {Code.EXTRACT_LIMIT}),
        (lying(docx(paragraph("words " * 100))), {Code.EXTRACT_DAMAGED}),
        (with_doctype('<!ENTITY l0 "ha">' + LAUGHS, paragraph("&l9;")), {Code.EXTRACT_DAMAGED, Code.EXTRACT_LIMIT}),
        (docx("<w:tbl>" * 50_000 + "</w:tbl>" * 50_000), {Code.EXTRACT_LIMIT}),
        (pdf(["x"]).replace(b"/Count 1", b"/Count 99999999"), {Code.EXTRACT_NO_TEXT, Code.EXTRACT_DAMAGED}),
        (pdf(["x"]).replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]"), {Code.EXTRACT_NO_TEXT, Code.EXTRACT_DAMAGED}),
        (pdf(["A whole page of words"])[:300], {Code.EXTRACT_DAMAGED, Code.EXTRACT_NO_TEXT}),
    ],
    ids=["packed", "unpacks to much", "many files", "lying size", "laughs", "nested", "pages", "loop", "cut"],
)
async def test_a_hostile_document_is_refused_with_its_reason(
    refused: Refused, content: bytes, codes: set[Code]
) -> None:
    assert await refused(content) in codes


async def test_an_entity_never_brings_in_a_file(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("only-outside")
    entity = f'<!ENTITY x SYSTEM "file://{tmp_path}/secret">'
    assert await refused(with_doctype(entity, paragraph("&x;"))) is Code.EXTRACT_DAMAGED


async def test_a_deeply_nested_page_ends_in_text_or_a_refusal(read: Read) -> None:
    outcome: str
    try:
        outcome = (await read(b"<html>" + b"<div>" * 100_000 + b"deep")).parts[0].text
    except NotochordError as error:
        outcome = error.code
    assert outcome in {"deep", Code.EXTRACT_LIMIT, Code.EXTRACT_DAMAGED, Code.EXTRACT_NO_TEXT}


async def test_a_document_that_takes_too_much_processor_time_ends(tmp_path: Path) -> None:
    reader = ExtractionChildren(command=child(REAL.format("child.SECONDS = 1")), folder=tmp_path)
    error = await refusal(reader, flate_pdf(150_000_000))
    assert error.code is Code.EXTRACT_LIMIT


async def test_a_document_that_takes_too_much_memory_ends(tmp_path: Path) -> None:
    reader = ExtractionChildren(command=child(REAL.format("child.MEMORY = 110 << 20")), folder=tmp_path)
    error = await refusal(reader, b"x" * 48_000_000, "a.txt")
    assert error.code is Code.EXTRACT_LIMIT


async def test_a_child_that_does_nothing_is_ended(tmp_path: Path) -> None:
    reader = ExtractionChildren(command=child("import time; time.sleep(600)"), folder=tmp_path, seconds=0.5)
    assert (await refusal(reader, b"x" * 1_000_000)).code is Code.EXTRACT_LIMIT
    assert not psutil.Process().children()


@pytest.mark.parametrize(
    "code",
    [
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        "sys.exit(0)",
        "sys.stdin.buffer.read(); sys.stdout.buffer.write(b'\\xff\\xff\\xff\\xff')",
        "sys.stdout.buffer.write(b'\\0\\0\\0\\2no')",
        ONE_MORE.format("frames.pack({'is': 'done', 'parts': [{'name': 1, 'text': 'x'}]})"),
        ONE_MORE.format("frames.pack({'is': 'done', 'parts': 5})"),
        ONE_MORE.format("frames.pack({})[:-1]"),
    ],
    ids=["crash", "end", "endless", "no JSON", "no text", "no list", "cut"],
)
async def test_a_child_that_crashes_or_lies_is_a_failure_with_a_reason(tmp_path: Path, code: str) -> None:
    error = await refusal(ExtractionChildren(command=child(code), folder=tmp_path), b"x" * 1_000_000)
    assert error.code in {Code.EXTRACT_FAILED, Code.EXTRACT_DAMAGED}
    assert error.detail or error.code is Code.EXTRACT_DAMAGED


async def test_stopping_to_wait_ends_the_child(tmp_path: Path) -> None:
    reader = ExtractionChildren(command=child("import time; time.sleep(600)"), folder=tmp_path)
    reading = asyncio.create_task(reader.read(Document(b"x")))
    await until(lambda: bool(psutil.Process().children()))
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert not psutil.Process().children()


async def test_closing_ends_what_is_read_and_refuses_more(tmp_path: Path) -> None:
    reader = ExtractionChildren(command=child("import time; time.sleep(600)"), folder=tmp_path)
    reading = asyncio.create_task(refusal(reader, b"x"))
    await until(lambda: bool(psutil.Process().children()))
    await reader.close()
    assert (await reading).code is Code.CANCELLED
    assert (await refusal(reader, b"x")).code is Code.CANCELLED


async def test_the_child_has_an_empty_environment_and_no_other_file_open(tmp_path: Path) -> None:
    code = (
        "import os\nfrom notochord.adapters.children import frames\n"
        "seen = [sorted(set(os.environ) - {'LC_CTYPE'}), sorted(os.listdir('/proc/self/fd'))[:-1]]\n"
        "sys.stdout.buffer.write(frames.pack({'is': 'failed', 'why': 'damaged', 'detail': str(seen)}))"
    )
    os.environ["NOTOCHORD_CANARY"] = "secret"
    try:
        error = await refusal(ExtractionChildren(command=child(code), folder=tmp_path), b"x")
    finally:
        del os.environ["NOTOCHORD_CANARY"]
    assert error.detail == "[[], ['0', '1', '2']]"


def test_frames_bound_what_a_child_may_send() -> None:
    with pytest.raises(frames.FrameError):
        frames.length(b"\xff\xff\xff\xff")
