"""What a model or a gem wrote cannot command the terminal."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from notochord.headless.printable import columns, one_line, printable

ANYTHING = st.text(alphabet=st.characters(codec=None))
TURNING = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@given(ANYTHING)
def test_no_control_character_and_no_turned_text_gets_through(text: str) -> None:
    left = {character for character in printable(text) if unicodedata.category(character) in ("Cc", "Cs")}
    assert left <= {"\n", "\t"}
    assert TURNING.isdisjoint(printable(text))


@given(ANYTHING)
def test_an_escaped_text_can_be_told_from_the_original(text: str) -> None:
    assert printable(printable(text)) == printable(text)


def test_ordinary_text_of_any_script_stays_as_it_is() -> None:
    text = "Grüße, 你好, مرحبا, 👩‍👩‍👧 \t tab\nline"
    assert printable(text) == text


def test_what_cannot_be_seen_is_shown() -> None:
    """Tag characters spell a whole hidden text; a blank without width makes two names look alike."""
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "rm")
    assert printable(f"a\u200bb\u00ad\ufeff{hidden}") == "a\\u200bb\\u00ad\\ufeff\\U000e0072\\U000e006d"


def test_an_escape_sequence_is_shown_instead_of_obeyed() -> None:
    assert printable("\x1b[2J\x9b1A\r") == "\\u001b[2J\\u009b1A\\u000d"


@given(ANYTHING, st.integers(2, 50))
def test_one_line_is_one_line_and_short_enough(text: str, longest: int) -> None:
    line = one_line(text, longest)
    assert len(line) <= longest
    assert len(line.splitlines()) <= 1


def test_wide_characters_keep_columns_straight() -> None:
    assert columns([("你好", "a"), ("abcd", "b"), ("x", "c")]).splitlines() == ["你好  a", "abcd  b", "x     c"]
