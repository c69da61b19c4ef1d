"""The messages of the control endpoint are read without trust."""

import contextlib
import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.headless.control import messages
from notochord.headless.control.messages import FROM_CLIENT, FROM_SERVER, MAX_WORDS, Message, pack, unpack

KINDS = (*FROM_CLIENT, *FROM_SERVER)
TEXT = st.text(alphabet=st.characters(codec=None))
BY_TYPE: dict[Any, st.SearchStrategy[object]] = {
    str: TEXT,
    bool: st.booleans(),
    int: st.integers(),
    list[str]: st.lists(TEXT, max_size=20),
}


def any_message() -> st.SearchStrategy[Message]:
    return st.one_of([st.builds(kind, **{one.name: BY_TYPE[one.type] for one in fields(kind)}) for kind in KINDS])


@given(any_message())
def test_a_message_comes_out_as_it_went_in(message: Message) -> None:
    assert unpack(pack(message), (type(message),)) == message


@given(st.binary(max_size=200))
def test_bytes_that_are_no_message_are_refused(frame: bytes) -> None:
    with pytest.raises(NotochordError) as failure:
        unpack(frame, KINDS)
    assert failure.value.code is Code.CONTROL_PROTOCOL


@given(any_message(), st.data())
def test_a_message_that_was_changed_anywhere_is_refused_or_a_message(message: Message, data: st.DataObject) -> None:
    frame = bytearray(pack(message))
    at = data.draw(st.integers(0, len(frame) - 1))
    frame[at] = data.draw(st.integers(0, 255))
    with contextlib.suppress(NotochordError):  # and nothing else
        assert isinstance(unpack(bytes(frame), KINDS), KINDS)


@pytest.mark.parametrize(
    "value",
    [
        {"type": "answer", "text": "x"},
        {"type": "answer", "text": "x", "given": 1},
        {"type": "answer", "text": None, "given": True},
        {"type": "answer", "text": "x", "given": True, "more": 1},
        {"type": "ended", "status": True},
        {"type": "ended", "status": 1.0},
        {"type": ["ended"], "status": 0},
        {"text": "x", "given": True},
        [],
        None,
        "cancel",
    ],
)
def test_missing_wrong_and_unknown_fields_are_refused(value: object) -> None:
    with pytest.raises(NotochordError):
        unpack(json.dumps(value).encode(), KINDS)


def test_a_client_cannot_send_what_only_a_server_says() -> None:
    with pytest.raises(NotochordError):
        unpack(pack(messages.Ended(0)), FROM_CLIENT)


def test_too_many_words_are_refused() -> None:
    command = messages.Command(1, ["x"] * (MAX_WORDS + 1), "/", "en", False, False)
    with pytest.raises(NotochordError):
        unpack(pack(command), FROM_CLIENT)
