"""Texts in any encoding, and CSV whose cells stay as they are written."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.services.extract.ports import MAX_CHARACTERS
from support.read_here import read_here, why

SAMPLES = {
    "utf-8-sig": "Grüße 你好",
    "utf-16": "Grüße 你好",
    "utf-16-le": "plain letters without a mark",
    "utf-32": "Grüße 你好",
    "cp1252": "Grüße aus Köln, wie geht es dir? Schöne Tage noch.",
    "cp1251": "Это русский текст, написанный для проверки.",
    "koi8_r": "Это русский текст, написанный для проверки.",
    "cp1253": "Αυτό είναι ένα ελληνικό κείμενο",
    "cp1255": "זה טקסט בעברית לבדיקה",
    "cp1256": "هذا نص عربي للاختبار",
    "gb18030": "今天我们讨论一下文档的编码问题，请大家认真看。",
    "big5": "今天我們討論一下文件的編碼問題，請大家認真看。",
    "cp932": "これは日本語の文章です。よろしくお願いします。",
    "euc_jp": "これは日本語の文章です。よろしくお願いします。",
    "iso2022_jp": "これは日本語の文章です。",
    "cp949": "이것은 한국어 문장입니다. 안녕하세요.",
    "cp874": "นี่คือข้อความภาษาไทย",
}


@pytest.mark.parametrize(("encoding", "text"), SAMPLES.items())
def test_a_text_is_read_in_the_encoding_that_it_is_in(encoding: str, text: str) -> None:
    found = read_here(text.encode(encoding), "letter.txt")
    assert (found.format, found.parts[0].text) == ("text", text)


def test_a_short_western_text_is_not_taken_for_a_rare_encoding() -> None:
    assert read_here("Grüße".encode("cp1252")).parts[0].text == "Grüße"


def test_a_guess_of_the_encoding_is_told_and_the_word_of_the_caller_goes_before_it() -> None:
    content = "żółć".encode("iso8859-2")
    assert read_here(content, encoding="iso8859-2").parts[0].text == "żółć"
    assert not read_here(content, encoding="iso8859-2").warnings
    assert "encoding" in read_here(content).warnings[0]


@pytest.mark.parametrize("name", ["rot13", "zlib", "unicode_escape", "idna", "no-such", "utf-7", "../x"])
def test_only_encodings_of_texts_are_encodings(name: str) -> None:
    assert why(b"abc", encoding=name) == "unsupported"


def test_bytes_that_are_no_text_are_refused() -> None:
    assert why(bytes(range(256)) * 8, "letter.txt") == "unsupported"
    assert why(b"\x89PNG\r\n\x1a\n" + bytes(50)) == "unsupported"


def test_a_text_of_blanks_has_no_text() -> None:
    assert why(b" \n\t \n") == "no_text"


def test_decimal_commas_and_leading_zeros_stay_as_they_are_written() -> None:
    """Known faults F1 and F2."""
    assert read_here(b"a;b\nok;10,5\n", "t.csv").parts[0].rows == (("a", "b"), ("ok", "10,5"))
    assert read_here(b'0010,"007",021000021', "t.csv").parts[0].rows == (("0010", "007", "021000021"),)
    assert read_here(b'id,x,y\n0010,"007",021000021\n', "t.csv").parts[0].rows == (
        ("id", "x", "y"),
        ("0010", "007", "021000021"),
    )


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ('"name, first";age\nAnna;3\nBo;4\n', ("name, first", "age")),
        ("name\tage, in years\nAnna\t3\n", ("name", "age, in years")),
        ("a|b|c\n1|2|3\n", ("a", "b", "c")),
        ("sep=;\na,b;c\n", ("a,b", "c")),
        ("one\ntwo\n", ("one",)),
        ('a,"b\nc"\n1,2\n', ("a", "b\nc")),
    ],
)
def test_the_delimiter_is_found_outside_of_quotes(text: str, row: tuple[str, ...]) -> None:
    """Known fault F4."""
    rows = read_here(text.encode(), "t.csv").parts[0].rows
    assert rows is not None
    assert rows[0] == row


def test_the_text_of_a_table_has_a_line_for_each_row() -> None:
    assert read_here(b'a,b\n"x\ny",2\n\n,\nend,3\n', "t.csv").parts[0].text == "a\tb\nx y\t2\n\n\nend\t3"


cells = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufeff"), max_size=8)


@given(st.lists(st.lists(cells, min_size=2, max_size=4), min_size=1, max_size=6), st.sampled_from(",;\t|"))
def test_what_a_program_writes_as_csv_is_read_as_it_was(rows: list[list[str]], delimiter: str) -> None:
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([["sep", "arator"], *rows])
    found = read_here(f"sep={delimiter}\r\n{written.getvalue()}".encode(), "t.csv").parts[0].rows
    assert found is not None
    kept = [_trimmed(row) for row in [["sep", "arator"], *rows]]
    while not kept[-1]:
        kept.pop()
    assert found == tuple(kept)


def test_more_text_than_is_given_is_cut_and_the_cut_is_told() -> None:
    found = read_here(b"x" * (MAX_CHARACTERS + 1))
    assert (len(found.parts[0].text), found.truncated) == (MAX_CHARACTERS, True)
    table = read_here(b",,,,,,,,,,,,,,,,,,,x\n" * 100_000, "t.csv")
    assert table.truncated
    assert table.parts[0].rows


def _trimmed(row: list[str]) -> tuple[str, ...]:
    cells = list(row)
    while cells and not cells[-1]:
        cells.pop()
    return tuple(cells)
