"""Reads files as text, whatever wrote them, and writes them back in the same encoding."""

import codecs
import re
from dataclasses import dataclass

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Each with the encoding that it stands for."""

_HIGH = re.compile(rb"[\x80-\xff]+")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and the encoding that it was read with."""

    text: str
    encoding: str

    def encode(self, text: str) -> bytes:
        """Return another text in the same encoding. Raises INPUT_INVALID for what it cannot hold."""
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError as error:
            detail = f"the file is in {self.encoding}, which cannot hold all of these characters"
            raise NotochordError(Code.INPUT_INVALID, Fault.USER, detail, why="why.encoding_cannot_hold") from error


def decode(content: bytes) -> Decoded:
    """Return the text of a file: Unicode by its mark or its form, else GB 18030 or Windows-1252, whichever fits better.

    Raises NotochordError(INPUT_INVALID) for what is no text.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return Decoded(content.decode(encoding, "replace"), encoding)
    if b"\0" in content:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, f"this is not a text file ({len(content)} bytes)", why="why.no_text_file"
        )
    for encoding in ("utf-8", *_guesses(content)):
        try:
            return Decoded(content.decode(encoding), encoding)
        except UnicodeDecodeError:
            continue
    return Decoded(content.decode("latin-1"), "latin-1")


def _guesses(content: bytes) -> tuple[str, str]:
    """Western letters with accents mostly stand alone between plain ones; Chinese comes in runs of high bytes."""
    runs = _HIGH.findall(content)
    alone = sum(len(run) == 1 for run in runs)
    return ("cp1252", "gb18030") if 2 * alone > len(runs) else ("gb18030", "cp1252")
