"""Matching: parts of Chinese texts, letters in their order of Latin ones, best first."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from notochord.viewmodels.shell.matching import match

TITLES = (
    "Sales of the first quarter",
    "Settings",
    "Start a chat around a folder",
    "第一季度的销售汇总",
    "新对话",
    "Ärger & Ruhe",
)


def found(words: str) -> list[str]:
    rated = [(match(words, title), title) for title in TITLES]
    hits = [(one.score, title) for one, title in rated if one]
    return [title for _, title in sorted(hits, key=lambda hit: -hit[0])]


@pytest.mark.parametrize(
    ("words", "best"),
    [
        ("销售", "第一季度的销售汇总"), ("对话", "新对话"), ("季度 汇总", "第一季度的销售汇总"),
        ("sett", "Settings"), ("SETTINGS", "Settings"), ("quarter sales", "Sales of the first quarter"),
        ("sfq", "Sales of the first quarter"), ("scaf", "Start a chat around a folder"), ("ärger", "Ärger & Ruhe"),
    ],
)  # fmt: skip
def test_what_is_meant_is_found_first(words: str, best: str) -> None:
    assert found(words)[0] == best


@pytest.mark.parametrize("words", ["销 对话x", "xyz", "总汇", "zzz 销售", "tsrif"])
def test_what_is_not_there_is_not_found(words: str) -> None:
    assert found(words) == []


def test_the_places_are_those_of_the_letters_that_were_found() -> None:
    hit = match("销售", "第一季度的销售汇总")
    assert hit is not None
    assert hit.places == (5, 6)


@given(some.text(max_size=30), some.text(max_size=30), some.text(max_size=30))
def test_a_part_of_a_text_is_always_found_and_its_places_are_in_the_text(before: str, part: str, after: str) -> None:
    text = before + part + after
    hit = match(part, text)
    assert hit is not None
    assert all(0 <= place < len(text) for place in hit.places)
