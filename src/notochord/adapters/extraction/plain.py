"""Texts and CSV: the encoding found out, the delimiter found outside of quotes, every cell left as it is written."""

import codecs
import csv
import io
import re
from collections.abc import Iterator

import chardet

from notochord.adapters.extraction.failures import Unreadable, Why
from notochord.adapters.extraction.findings import Findings
from notochord.core.text_files import BYTE_ORDER_MARKS

DELIMITERS = ",;\t|"

_SAMPLE = 64 * 1024
_ROWS_LOOKED_AT = 50
_CERTAIN_ENOUGH = 0.15
_USUAL = "cp1252"
"""The most frequent encoding of the short Western texts that could be in any."""

_MOST_OF_FIELD = 1_000_000
_MEANINGFUL = re.compile(r"[^\W_]")
_SHIFTED = re.compile(rb"\x1b(\$[@AB]|\([IJ]|\$\)C)")
"""Seven-bit encodings of East Asia, which are plain ASCII to look at."""

_SEPARATOR_LINE = re.compile(r"sep=([,;|\t])\r?\n?", re.IGNORECASE)
# Python knows codecs that are no character sets, or slow on hostile bytes.
_CHARACTER_SET = re.compile(
    r"utf-(8|16|32)(-sig|-[lb]e)?|ascii|iso(8859-\d+|2022_(jp|kr).*)|cp\d+|gb2312|gbk|gb18030|hz|big5(hkscs)?|shift_jis"
    r"(x0213|_2004)?|euc_(jp|kr|jis.*)|johab|koi8-[rtu]|mac-[a-z0-9]+|tis-620|kz1048|ptcp154"
)


def read_text(content: bytes, encoding: str, found: Findings) -> None:
    found.part("", decoded(content, encoding, found))


def read_csv(content: bytes, encoding: str, found: Findings) -> None:
    """Read a table of texts; nothing in it is taken for a number or a date."""
    csv.field_size_limit(_MOST_OF_FIELD)
    text = decoded(content, encoding, found)
    delimiter = ""
    if first := _SEPARATOR_LINE.match(text):
        delimiter, text = first[1], text[first.end() :]
    delimiter = delimiter or delimiter_of(text)
    found.table("", _rows(text, delimiter))


def decoded(content: bytes, encoding: str, found: Findings) -> str:
    """Return the text of bytes: as the caller says, by its mark, as UTF-8, else by what its letters make likely.

    Raises Unreadable for what is no text.
    """
    if encoding:
        return content.decode(_codec(encoding), "replace")
    for mark, name in BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content.decode(name, "replace")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _guessed(content, found)
    return _guessed(content, found) if "\0" in text or _SHIFTED.search(content) else text


def is_text(content: bytes) -> bool:
    """Tell whether bytes can be read as a text at all."""
    try:
        text = decoded(content[: 4 * _SAMPLE], "", Findings("text"))
    except Unreadable:
        return False
    return bool(text)


def delimiter_of(text: str) -> str:
    """Return what stands between the cells: the candidate that cuts most rows into the same number of them."""
    sample = text[:_SAMPLE]
    scores = {mark: _score(sample, mark) for mark in DELIMITERS}
    best = max(DELIMITERS, key=lambda mark: scores[mark])
    return best if scores[best] > 0 else ","


def _score(sample: str, delimiter: str) -> float:
    counts: list[int] = []
    try:
        for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter):
            if row:
                counts.append(len(row))
            if len(counts) == _ROWS_LOOKED_AT:
                break
    except csv.Error:
        return 0.0
    if not counts:
        return 0.0
    usual = max(set(counts), key=counts.count)
    if usual < 2:
        return 0.0
    return counts.count(usual) / len(counts) + min(usual, 50) / 1_000


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    except csv.Error as error:
        raise Unreadable(Why.DAMAGED, f"the table cannot be read: {error}") from error


def _guessed(content: bytes, found: Findings) -> str:
    if _looks_like_utf_16(content):
        name = "utf-16-le" if content[1::2].count(0) >= content[0::2].count(0) else "utf-16-be"
        return content.decode(name, "replace")
    if b"\0" in content:
        raise Unreadable(Why.UNSUPPORTED, "this is not text, nor another kind of document that is read")
    seen = chardet.detect(content[: 4 * _SAMPLE])
    name = _codec_or_none(seen["encoding"] or "")
    if name and seen["confidence"] < _CERTAIN_ENOUGH:
        name = _USUAL
    text = content.decode(name, "replace") if name else ""
    if not _MEANINGFUL.search(text[:_SAMPLE]) or _noise(text[:_SAMPLE]) > 0.1:
        raise Unreadable(Why.UNSUPPORTED, "this is not text, nor another kind of document that is read")
    found.warn(f"the encoding is not stated; it was read as {name}")
    return text


def _looks_like_utf_16(content: bytes) -> bool:
    """Tell text in UTF-16 without a mark: every other byte of Western text is zero."""
    sample = content[:_SAMPLE]
    zeros = max(sample[0::2].count(0), sample[1::2].count(0))
    return len(sample) % 2 == 0 and len(sample) >= 4 and 0.8 * len(sample) / 2 <= zeros and zeros == sample.count(0)


def _noise(text: str) -> float:
    strange = sum(1 for character in text if not (character.isprintable() or character in "\t\n\r\f"))
    return strange / max(1, len(text))


def _codec(encoding: str) -> str:
    name = _codec_or_none(encoding[:40])
    if not name:
        raise Unreadable(Why.UNSUPPORTED, f"{encoding[:40]!r} is not an encoding of text")
    return name


def _codec_or_none(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        return ""
    return name if _CHARACTER_SET.fullmatch(name) else ""
