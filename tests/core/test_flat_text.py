"""What a stranger wrote becomes one harmless line."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.flat_text import flattened


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\r\nb\tc", "a b c"),
        ("ignore\u2028this\x00\x1b[31m", "ignore this [31m"),
        ("right\u202eleft", "rightleft"),
        ("tags \U000e0041\U000e0042 gone", "tags gone"),
        ("family 👨\u200d👩", "family 👨\u200d👩"),
    ],
)
def test_a_strangers_text_becomes_one_harmless_line(text: str, line: str) -> None:
    assert flattened(text) == line


@given(st.text(), st.integers(min_value=0, max_value=20))
def test_whatever_the_text_the_line_is_one_and_short_and_stays_as_it_is(text: str, limit: int) -> None:
    line = flattened(text, limit)
    assert len(line) <= limit or limit == 0
    assert len(line.splitlines()) <= 1
    assert not {unicodedata.category(letter) for letter in line} & {"Cc", "Cs", "Co", "Zl", "Zp"}
    assert flattened(line, limit) == line


def test_a_cut_text_shows_that_it_was_cut() -> None:
    assert flattened("one two three", 7) == "one tw…"
    assert flattened(" " * 100 + "late", 7).endswith("…")
