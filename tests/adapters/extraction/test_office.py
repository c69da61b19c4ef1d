"""DOCX, XLSX and PPTX: every word is there, no date is made up, and what lies about itself does no harm."""

import datetime
import io
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from notochord.services.extract.ports import Extracted
from support.extraction import OFFICE, WORD, docx, paragraph, relations, zipped
from support.read_here import read_here, why

CORE = (
    '<cp:coreProperties xmlns:cp="urn:cp" xmlns:dc="http://purl.org/dc/elements/1.1/">'
    "<dc:title>Plan</dc:title><dc:creator>Anna</dc:creator></cp:coreProperties>"
)
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"


def text_of(found: Extracted) -> str:
    return "\n".join(part.text for part in found.parts)


def table(cell: str) -> str:
    return f"<w:tbl><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>"


def book(fill: Any, *, epoch: datetime.datetime | None = None) -> bytes:
    made, buffer = Workbook(), io.BytesIO()
    if epoch is not None:
        made.epoch = epoch
    fill(made.active)
    made.save(buffer)
    return buffer.getvalue()


def rezipped(content: bytes, name: str, change: Any) -> bytes:
    import zipfile

    with zipfile.ZipFile(io.BytesIO(content)) as package:
        files = {entry: package.read(entry) for entry in package.namelist()}
    files[name] = change(files[name])
    return zipped(files)


def test_words_in_nested_tables_and_text_boxes_are_there_once() -> None:
    """Known fault F11."""

    box = f"<w:p><w:r><w:pict><w:txbxContent>{paragraph('in a box')}</w:txbxContent></w:pict></w:r></w:p>"
    choice = f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
    both = f"<w:p><mc:AlternateContent>{choice}</mc:AlternateContent></w:p>"
    found = read_here(docx(table(paragraph("outer") + table(paragraph("inner"))) + both + paragraph("after")))
    text = text_of(found)
    assert (found.format, [text.count(word) for word in ("outer", "inner", "in a box", "after")]) == ("docx", [1] * 4)


def test_cells_tabs_breaks_and_paragraphs_keep_words_apart() -> None:
    row = f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>"
    body = "<w:p><w:r><w:t>one</w:t><w:br/><w:t>two</w:t><w:tab/><w:t>three</w:t></w:r></w:p>"
    assert text_of(read_here(docx(body + row))).split() == ["one", "two", "three", "a", "b"]


def test_what_was_deleted_and_the_program_of_fields_are_no_text() -> None:
    body = "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>"
    assert text_of(read_here(docx(body + paragraph("stays")))) == "stays"


def test_a_reference_to_notes_that_are_not_there_costs_no_text() -> None:
    """Known fault F13."""

    body = '<w:p><w:r><w:footnoteReference w:id="1"/><w:t>Text</w:t></w:r></w:p>'
    lost = relations({"r1": ("footnotes", "footnotes.xml"), "r2": ("image", "../NULL"), "r3": ("header", "h.xml")})
    assert text_of(read_here(docx(body, {"word/_rels/document.xml.rels": lost}))) == "Text"


def test_notes_headers_title_and_author_are_read() -> None:
    part = '<w:{0} xmlns:w="{1}">{2}</w:{0}>'
    files = {
        "word/_rels/document.xml.rels": relations({"r1": ("footnotes", "notes.xml"), "r2": ("header", "/word/h.xml")}),
        "word/notes.xml": part.format("footnotes", WORD, paragraph("a note")),
        "word/h.xml": part.format("hdr", WORD, paragraph("a header")),
        "docProps/core.xml": CORE,
    }
    found = read_here(docx(paragraph("body"), files))
    assert text_of(found).split("\n\n") == ["a header", "body", "a note"]
    assert (found.title, dict(found.properties)) == ("Plan", {"author": "Anna"})


def test_a_workbook_that_lies_about_its_size_is_read_whole() -> None:
    """Known fault F5."""

    content = book(lambda sheet: [sheet.append([number]) for number in range(100)])
    lying = rezipped(content, "xl/worksheets/sheet1.xml", lambda xml: xml.replace(b'ref="A1:A100"', b'ref="A1"'))
    rows = read_here(lying).parts[0].rows
    assert rows is not None
    assert len(rows) == 100


def test_no_date_is_made_up_where_programs_do_not_agree() -> None:
    """Known fault F7."""

    def fill(sheet: Any) -> None:
        for column, serial in enumerate((60, 59, 61, 0, 0.5), 1):
            sheet.cell(1, column, serial).number_format = "yyyy-mm-dd" if serial >= 1 else "hh:mm"

    found = read_here(book(fill))
    assert found.parts[0].rows == (("60", "59", "1900-03-01", "00:00:00", "12:00:00"),)
    assert "March 1900" in found.warnings[0]


def test_dates_of_the_other_calendar_are_the_same_days() -> None:
    day = datetime.datetime(2024, 5, 6, 7, 8, 9)  # noqa: DTZ001 - spreadsheets know no zones
    for epoch in (None, CALENDAR_MAC_1904):
        assert read_here(book(lambda sheet: sheet.append([day]), epoch=epoch)).parts[0].rows == (
            ("2024-05-06 07:08:09",),
        )


def test_numbers_switches_and_durations_read_as_people_write_them() -> None:
    def fill(sheet: Any) -> None:
        sheet.append([1, 2.0, 2.5, True, "007", None, "end"])
        sheet.cell(2, 1, 1.5).number_format = "[h]:mm:ss"

    assert read_here(book(fill)).parts[0].rows == (("1", "2", "2.5", "TRUE", "007", "", "end"), ("36:00:00",))


def test_tens_of_thousands_of_merged_ranges_do_not_matter() -> None:
    """Known fault F8."""

    def fill(sheet: Any) -> None:
        sheet.append(["title", "here"])

    merges = "".join(f'<mergeCell ref="A{row}:B{row}"/>' for row in range(1, 42_001)).encode()
    content = rezipped(
        book(fill),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b"</sheetData>", b"</sheetData><mergeCells>" + merges + b"</mergeCells>"),
    )
    assert read_here(content).parts[0].text == "title\there"


def test_a_cell_far_out_does_not_fill_the_memory() -> None:
    found = read_here(book(lambda sheet: (sheet.cell(1, 1, "a"), sheet.cell(1_048_576, 16_384, "z"))))
    assert found.truncated
    assert found.parts[0].text.startswith("a")


def test_slides_come_in_the_order_of_the_show_with_their_notes() -> None:
    slide = f'<p:sld xmlns:p="urn:p" xmlns:a="{DRAWING}"><a:p><a:r><a:t>{{}}</a:t></a:r></a:p></p:sld>'
    files = {
        "[Content_Types].xml": "<Types/>",
        "ppt/presentation.xml": f'<p:presentation xmlns:p="urn:p" xmlns:r="{OFFICE}"><p:sldIdLst>'
        '<p:sldId r:id="b"/><p:sldId r:id="a"/><p:sldId r:id="lost"/></p:sldIdLst></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(
            {"a": ("slide", "slides/s1.xml"), "b": ("slide", "slides/s2.xml")}
        ),
        "ppt/slides/s1.xml": slide.format("second"),
        "ppt/slides/s2.xml": slide.format("first"),
        "ppt/slides/_rels/s2.xml.rels": relations({"n": ("notesSlide", "../notes/n.xml")}),
        "ppt/notes/n.xml": slide.format("say hello"),
    }
    found = read_here(zipped(files))
    assert [(part.name, part.text) for part in found.parts] == [("1", "first\n\nsay hello"), ("2", "second")]
    assert found.warnings == ("slides that are not read, since the show and the file do not agree: 1",)


def test_a_sheet_that_is_named_and_not_there_is_told() -> None:
    def fill(sheet: Any) -> None:
        sheet.append(["here"])
        sheet.parent.create_sheet("Second").append(["gone"])

    lost = rezipped(book(fill), "xl/_rels/workbook.xml.rels", lambda xml: xml.replace(b"sheet2.xml", b"sheet9.xml"))
    found = read_here(lost)
    assert [part.text for part in found.parts] == ["here"]
    assert found.warnings == ("sheets that the workbook names are not in the file: Second",)


def test_a_document_as_an_online_editor_exports_it_is_read() -> None:
    """Known fault F13: no properties, targets from the root, controls, links and insertions around the words."""
    body = (
        f"<w:sdt><w:sdtPr/><w:sdtContent>{paragraph('in a control')}</w:sdtContent></w:sdt>"
        "<w:p><w:hyperlink><w:r><w:t>a link</w:t></w:r></w:hyperlink>"
        "<w:ins><w:r><w:t> inserted</w:t></w:r></w:ins><w:smartTag><w:r><w:t> tagged</w:t></w:r></w:smartTag></w:p>"
        f"<w:tbl><w:tr><w:tc><w:sdt><w:sdtContent>{paragraph('in a cell')}</w:sdtContent></w:sdt></w:tc></w:tr></w:tbl>"
        '<w:p><w:r><w:footnoteReference w:customMarkFollows="0" w:id="0"/></w:r></w:p>'
    )
    beside = {
        "word/_rels/document.xml.rels": relations({"rId1": ("footnotes", "/word/footnotes.xml")}),
        "docProps/custom.xml": "<Properties/>",
    }
    words = "in a control a link inserted tagged in a cell"
    assert text_of(read_here(docx(body, beside))).split() == words.split()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PK\x03\x04 and no more", "damaged"),
        (zipped({"a.txt": "x"}), "unsupported"),
        (docx("<w:p>"), "damaged"),
        (docx(""), "no_text"),
        (zipped({"xl/workbook.xml": "<workbook/>"}), "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "unsupported"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
    ],
    ids=["cut", "other zip", "bad XML", "no words", "no workbook", "old kind", "with a password"],
)
def test_a_broken_package_is_told_apart(content: bytes, reason: str) -> None:
    assert why(content) == reason
