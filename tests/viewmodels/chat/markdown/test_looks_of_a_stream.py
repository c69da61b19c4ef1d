"""Known fault A4: while a text arrives, no character goes to and fro between two looks."""

from itertools import pairwise

import pytest

from notochord.viewmodels.chat.markdown.grammar import make_parser
from notochord.viewmodels.chat.markdown.leaves import BOLD, CODE, ITALIC, STRIKE, Leaf, leaves_of
from notochord.viewmodels.chat.markdown.splitter import Splitter

PARSER = make_parser()
MARKS = "*_~`"
HALVES = ["**bold", " text**"] * 10


def letters(leaves: list[Leaf]) -> list[tuple[str, int]]:
    """Return each character that is no mark, with its look."""
    found = []
    for leaf in leaves:
        looks = [0] * len(leaf.line.text)
        for span in leaf.line.spans:
            for at in range(span.start, span.end):
                looks[at] |= span.flags & (BOLD | ITALIC | STRIKE | CODE)
        found += [(letter, look) for letter, look in zip(leaf.line.text, looks, strict=True) if letter not in MARKS]
    return found


def looks_over_time(chunks: list[str]) -> list[list[int]]:
    """Return, for each character that is no mark, the looks that it had one after the other."""
    splitter, histories = Splitter(PARSER), list[list[int]]()
    written = "".join(chunks)
    plain = [letter for letter in written if letter not in MARKS]

    def look() -> None:
        seen = letters([leaf for segment in splitter.segments for leaf in leaves_of(splitter, segment)])
        assert [letter for letter, _ in seen] == plain[: len(seen)]
        histories.extend([] for _ in range(len(seen) - len(histories)))
        for history, (_, now) in zip(histories, seen, strict=False):
            history.append(now)

    for chunk in chunks:
        splitter.feed(chunk)
        look()
    splitter.finish()
    look()
    assert len(histories) == len(plain)
    return histories


def changes(history: list[int]) -> int:
    return sum(before != after for before, after in pairwise(history))


@pytest.mark.parametrize("between", ["", " ", "，"])
def test_bold_in_two_chunks_ten_times_changes_each_character_once_at_most(between: str) -> None:
    chunks = [chunk + (between if number % 2 else "") for number, chunk in enumerate(HALVES)]
    chunks[-1] = HALVES[-1]
    histories = looks_over_time(chunks)
    assert max(map(changes, histories)) == 1
    bold = [history[-1] for history in histories]
    assert bold.count(BOLD) == 10 * len("bold text")


@pytest.mark.parametrize(
    "text",
    [
        "".join(HALVES),
        "a **bold** b __bold__ c *it* d _it_ e ~~gone~~ f `code` g",
        "snake_case_name and 2 * 3 * 4",
    ],
)
def test_also_character_by_character_each_changes_once_at_most(text: str) -> None:
    assert max(map(changes, looks_over_time(list(text)))) <= 1
