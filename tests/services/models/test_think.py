"""Reasoning between tags is told from the answer, in every cut of the stream alike."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.services.models.api import Reasoning, ReasoningDelta, Text, TextDelta
from notochord.services.models.assembly import Assembly
from notochord.services.models.ports import CallPiece, TextPiece
from notochord.services.models.think import ThinkParser

CASES = [
    # C1: never closed
    ("<think>Hello! How are you?", "", "Hello! How are you?"),
    # C2: the other spelling
    ("<thinking>a</thinking>b", "a", "b"),
    ("<think>a</thinking>b", "a", "b"),
    # C5: nested, oddly spaced, or only spoken of
    ("<think>a<think>b</think>c</think>d", "abc", "d"),
    ("<think>a</think >b", "a", "b"),
    ("< THINK >a</ Think>\n\nb", "a", "b"),
    ("`<think>` is the tag, `</think>` closes it", "", "`<think>` is the tag, `</think>` closes it"),
    ("Write:\n```\n<think>x</think>\n```\ndone", "", "Write:\n```\n<think>x</think>\n```\ndone"),
    ("<think>the tag `</think>` closes</think>yes", "the tag `</think>` closes", "yes"),
    ("<think>open <think> twice</think>answer", "open  twice", "answer"),
    ("<think>a</think><think>b</think>c", "ab", "c"),
    ("<think></think>", "", ""),
    # C4: a second round that begins inside of reasoning
    ("y</think>z", "", "yz"),
    ("a < b and c <thin d", "", "a < b and c <thin d"),
    ("  \n plain", "", "  \n plain"),
]


def read(chunks: list[str], *, call: bool = False) -> tuple[str, str, str]:
    """Return reasoning and answer of the message, and the answer as it was streamed."""
    whole = Assembly("p", tags=True, new_id=lambda: "new")
    deltas = [delta for chunk in chunks for delta in whole.add(TextPiece(chunk))]
    if call:
        whole.add(CallPiece(0, "a", "t", "{}"))
    deltas += whole.end()
    parts = whole.message().parts
    reasoning = "".join(part.text for part in parts if isinstance(part, Reasoning))
    answer = "".join(part.text for part in parts if isinstance(part, Text))
    return reasoning, answer, "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


@pytest.mark.parametrize(("text", "reasoning", "answer"), CASES)
def test_reasoning_and_answer_are_told_apart(text: str, reasoning: str, answer: str) -> None:
    assert read([text]) == (reasoning, answer, answer)


@pytest.mark.parametrize("text", [text for text, _, _ in CASES])
def test_the_result_does_not_depend_on_how_the_text_is_cut(text: str) -> None:
    whole = read([text])
    assert read(list(text)) == whole
    for place in range(len(text)):
        assert read([text[:place], text[place:]]) == whole


@given(st.lists(st.sampled_from(["<think>", "</think>", "`", "```", "a", "\n", " ", "<", "</thi", "nk>"]), max_size=14))
def test_no_answer_is_ever_swallowed(pieces: list[str]) -> None:
    """Known faults C1 and C5: whatever a model writes beside tags, something of it is shown as the answer."""
    text = "".join(pieces)
    reasoning, answer, streamed = read(pieces)
    assert (reasoning, answer, streamed) == read(list(text))
    assert answer.strip() == streamed.strip()
    if not answer.strip():
        assert not re.sub("</?think>", "", text.rpartition("</think>")[2]).strip()


def test_reasoning_left_open_by_a_round_with_a_call_stays_reasoning() -> None:
    """Known fault C4."""
    assert read(["<think>x"], call=True) == ("x", "", "")


def test_reasoning_is_streamed_as_such() -> None:
    whole = Assembly("p", tags=True, new_id=lambda: "new")
    assert whole.add(TextPiece("<think>so")) == [ReasoningDelta("so")]


@pytest.mark.parametrize("text", ["\n" * 300_000, "x" + "\n" * 300_000, "<think>" + "`<" * 150_000])
def test_a_large_piece_is_read_in_time_that_grows_with_its_length(text: str) -> None:
    """Read with a copy of all the rest at each step, this took minutes."""
    parser = ThinkParser()
    spans = [*parser.feed(text), *parser.finish(answer_needed=False)]
    assert sum(len(span.text) for span in spans) == len(text.removeprefix("<think>"))


def test_blanks_without_end_before_a_tag_make_an_answer_however_they_are_cut() -> None:
    text = " " * 1_500 + "<think>a</think>b"
    for size in (1, 7, 1_000, len(text)):
        parser = ThinkParser()
        spans = [span for start in range(0, len(text), size) for span in parser.feed(text[start : start + size])]
        spans += parser.finish(answer_needed=True)
        assert not any(span.reasoning for span in spans)
