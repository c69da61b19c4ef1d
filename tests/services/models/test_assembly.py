"""Pieces of a stream become whole calls, however badly a provider labels them."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.services.models.api import Message, Reasoning, Role, Text, ToolCall
from notochord.services.models.assembly import Assembly, clean_arguments
from notochord.services.models.ports import (
    CallPiece,
    FailureKind,
    ProviderFailure,
    ReasoningPiece,
    ReasoningSeal,
    TextPiece,
)


def assembly(*, tags: bool = False, taken: tuple[str, ...] = ()) -> Assembly:
    numbers = itertools.count(1)
    return Assembly("p", tags=tags, new_id=lambda: f"new_{next(numbers)}", taken=taken)


def calls(*pieces: CallPiece, taken: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    whole = assembly(taken=taken)
    for piece in pieces:
        whole.add(piece)
    return [(part.id, part.name, part.arguments) for part in whole.message().parts if isinstance(part, ToolCall)]


def test_two_calls_under_one_index_are_two_calls() -> None:
    """Known faults B4 and B8."""
    found = calls(CallPiece(0, "a", "read", '{"p":"a"}'), CallPiece(0, "b", "write", '{"p":"b"}'))
    assert found == [("a", "read", '{"p":"a"}'), ("b", "write", '{"p":"b"}')]


def test_a_character_whose_halves_come_in_two_pieces_is_whole() -> None:
    """Known fault D1, for providers that escape what they send and cut between the two escapes."""
    whole = assembly(tags=True)
    pieces: list[ReasoningPiece | TextPiece] = [
        ReasoningPiece("a\ud83c"),
        ReasoningPiece("\udf0d"),
        TextPiece("b\ud83d"),
        TextPiece("\ude00c"),
    ]
    deltas = [delta.text for piece in pieces for delta in whole.add(piece)]
    assert deltas + [delta.text for delta in whole.end()] == ["a", "🌍", "b", "😀c"]
    assert calls(CallPiece(0, "a", "t", '{"p":"\ud83d'), CallPiece(0, "", "", '\ude00"}')) == [("a", "t", '{"p":"😀"}')]


@pytest.mark.parametrize("tags", [True, False])
def test_half_a_character_that_stays_alone_can_be_stored_and_sent(tags: bool) -> None:
    whole = assembly(tags=tags)
    for piece in (ReasoningPiece("a\udc00b\ud800"), TextPiece("c\ud800"), ReasoningSeal('{"x":"\ud800"}')):
        whole.add(piece)
    whole.add(CallPiece(0, "a", "n\ud800", '{"p":"\ud800"}', '{"o":"\udfff"}'))
    whole.end()
    assert whole.message().parts == (
        Reasoning("a\ufffdb\ufffd", "p", '{"x":"\ufffd"}'),
        Text("c\ufffd"),
        ToolCall("a", "n\ufffd", '{"p":"\ufffd"}', "p", '{"o":"\ufffd"}'),
    )


def test_a_long_run_of_blanks_in_arguments_takes_no_long_time() -> None:
    """A model in a loop of blanks; searched without a bound, this took minutes."""
    raw = '{"a":' + " " * 1_000_000 + "x"
    assert clean_arguments(raw) == raw
    assert clean_arguments('{"a":1}' + " " * 400 + "<|call|>") == '{"a":1}'


def test_calls_without_an_index_keep_their_order_and_a_later_index_finds_its_call() -> None:
    """Known fault B5."""
    found = calls(
        CallPiece(None, "a", "t", '{"p":'),
        CallPiece(None, "", "", '"a"}'),
        CallPiece(None, "b", "t", '{"p":'),
        CallPiece(1, "", "", '"b"}'),
    )
    assert found == [("a", "t", '{"p":"a"}'), ("b", "t", '{"p":"b"}')]


def test_fragments_on_meaningless_indexes_join_the_only_open_call() -> None:
    """Known fault B7."""
    found = calls(CallPiece(0, "a", "t", ""), CallPiece(1, "", "", '{"p":'), CallPiece(2, "", "", "1}"))
    assert found == [("a", "t", '{"p":1}')]


def test_a_fragment_that_could_belong_to_two_open_calls_fails_loudly() -> None:
    """Known fault B7."""
    whole = assembly()
    whole.add(CallPiece(0, "a", "t", '{"p":'))
    whole.add(CallPiece(1, "b", "t", '{"p":'))
    with pytest.raises(ProviderFailure) as caught:
        whole.add(CallPiece(7, "", "", "1}"))
    assert caught.value.kind is FailureKind.BROKEN


def test_calls_without_ids_get_ids_that_the_conversation_has_not_seen() -> None:
    found = calls(
        CallPiece(None, "", "t", "{}"),
        CallPiece(None, "", "t", '{"x":1}'),
        CallPiece(2, "old", "t", ""),
        taken=("old",),
    )
    assert [name for name, _, _ in found] == ["new_1", "new_2", "new_3"]
    assert [arguments for _, _, arguments in found] == ["{}", '{"x":1}', "{}"]


def test_an_id_repeated_with_each_fragment_is_one_call() -> None:
    found = calls(CallPiece(0, "a", "t", '{"p":'), CallPiece(0, "a", "", "1"), CallPiece(0, "a", "", "}"))
    assert found == [("a", "t", '{"p":1}')]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=8), st.integers(0, 2))
def test_never_fewer_calls_than_ids_were_seen(indexes: list[int], missing: int) -> None:
    """Known fault B8: whatever the indexes say."""
    pieces = [
        CallPiece(None if place % 3 < missing else index, f"id{place}", "t", f'{{"n":{place}}}')
        for place, index in enumerate(indexes)
    ]
    found = calls(*pieces)
    assert [arguments for _, _, arguments in found] == [f'{{"n":{place}}}' for place in range(len(indexes))]


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ('{"n":?}', '{"n":?}'),
        ('{"q":"a"}<|call|>', '{"q":"a"}'),
        ('{"q":"a"} <|call|>\n<|end|>', '{"q":"a"}'),
        ('{"q":"keep <|call|> inside"}', '{"q":"keep <|call|> inside"}'),
        ("", "{}"),
        ('{"path":"a.txt","text":"hel', '{"path":"a.txt","text":"hel'),
    ],
)
def test_internal_marks_go_and_everything_else_stays(raw: str, clean: str) -> None:
    """Known fault B2."""
    assert clean_arguments(raw) == clean


def test_calls_stand_last_and_empty_texts_are_left_out() -> None:
    """Known faults B10 and B13."""
    whole = assembly()
    for piece in (CallPiece(0, "a", "t", "{}"), TextPiece(""), TextPiece("after"), ReasoningPiece("hm")):
        whole.add(piece)
    assert [type(part) for part in whole.message().parts] == [Text, Reasoning, ToolCall]


def test_sealed_reasoning_keeps_what_its_provider_needs_back() -> None:
    whole = assembly()
    for piece in (ReasoningPiece("a"), ReasoningSeal("1"), ReasoningSeal("2"), ReasoningPiece("b")):
        whole.add(piece)
    expected = (Reasoning("a", "p", "1"), Reasoning("", "p", "2"), Reasoning("b"))
    assert whole.message() == Message(Role.ASSISTANT, expected)


def test_a_flood_is_refused() -> None:
    whole = assembly()
    for _ in range(4):
        whole.add(TextPiece("x" * 1024 * 1024))
    with pytest.raises(ProviderFailure) as caught:
        whole.add(TextPiece("x"))
    assert caught.value.kind is FailureKind.FLOOD
