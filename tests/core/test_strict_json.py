"""JSON from a stranger: only what can be written again is read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.strict_json import MAX_DEPTH, decode, encode


@pytest.mark.parametrize("text", ["1e999", "-1e999", '{"a":[1e400]}', "NaN", "Infinity", '{"a":1,"a":2}', "[" * 500])
def test_what_no_json_can_be_written_with_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - its text is not promised
        decode(text)


def test_control_the_library_takes_a_number_that_it_cannot_write() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        json.dumps(json.loads("1e999"), allow_nan=False)


@pytest.mark.parametrize("content", [b'"\xed\xa0\x80"', '"a"'.encode("utf-16"), b'"\xff"'])
def test_bytes_that_are_no_utf_8_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - its text is not promised
        decode(content)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert decode(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@given(st.text() | st.binary())
def test_whatever_is_read_can_be_written(text: str | bytes) -> None:
    try:
        value = decode(text)
    except ValueError:
        return
    assert decode(encode(value)) == value


@pytest.mark.parametrize("brackets", ["[]", '{"a":}'])
def test_what_is_nested_as_deeply_as_allowed_is_read_and_one_level_more_is_not(brackets: str) -> None:
    opens, closes = brackets[:-1], brackets[-1]
    within = opens * (MAX_DEPTH - 1) + "0" + closes * (MAX_DEPTH - 1)
    assert encode(decode(within)) == within
    with pytest.raises(ValueError, match="nested too deeply"):
        decode(opens * MAX_DEPTH + "0" + closes * MAX_DEPTH)
    wide = f"[{','.join(['[0]'] * MAX_DEPTH)}]"
    assert encode(decode(wide)) == wide
