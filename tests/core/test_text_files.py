"""Files are read as text whatever wrote them."""

import pytest

from notochord.core.errors import NotochordError
from notochord.core.text_files import decode

GERMAN = "Müller;Größe;10,5\nÄpfel;3\n"
CHINESE = "姓名,金额\n张三,10\n李四,20\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", [GERMAN, CHINESE, "emoji 🎈\n"])
def test_unicode_is_read_by_its_mark_or_form(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize(("text", "encoding"), [(GERMAN, "cp1252"), (CHINESE, "gb18030")])
def test_older_encodings_are_told_apart(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert decoded.encode(text) == text.encode(encoding)


def test_what_the_encoding_cannot_hold_is_refused() -> None:
    with pytest.raises(NotochordError):
        decode(GERMAN.encode("cp1252")).encode("好")


def test_bytes_of_no_encoding_are_read_all_the_same() -> None:
    assert len(decode(b"\x81\xff a \x81").text) > 0
