"""The argument text of a model is read where its meaning is plain, and refused in words that help where it is not."""

import pytest
from hypothesis import given
from hypothesis.strategies import dictionaries, integers, lists, sampled_from, text

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json, encode
from notochord.services.tools.arguments import MAX_CHARACTERS, parse

TOKENS = ["<|call|>", " <|call|>\n", "<|end|><|call|>", "<|tool_call_end|>"]
SHORT = text(max_size=8)
VALUES = dictionaries(SHORT, SHORT | integers() | lists(SHORT, max_size=3), max_size=4)


def refusal(arguments: str) -> str:
    with pytest.raises(NotochordError) as caught:
        parse(arguments)
    assert caught.value.code is Code.TOOL_ARGUMENTS
    return caught.value.detail


@given(VALUES)
def test_every_object_is_read_as_it_was_written(value: dict[str, Json]) -> None:
    assert parse(encode(value)) == value


@given(VALUES, sampled_from(TOKENS))
def test_an_internal_token_after_the_object_is_ignored(value: dict[str, Json], token: str) -> None:
    assert parse(encode(value) + token) == value


def test_an_internal_token_inside_a_string_is_text() -> None:
    assert parse('{"q":"keep <|call|> inside"}') == {"q": "keep <|call|> inside"}
    assert parse('{"q":"keep <|call|>"}<|call|>') == {"q": "keep <|call|>"}


@pytest.mark.parametrize("arguments", ["", "  \n", "<|call|>"])
def test_no_text_means_no_arguments(arguments: str) -> None:
    assert parse(arguments) == {}


@pytest.mark.parametrize(
    "arguments", ['{"path":"a.txt","text":"hel', '{"a":[1,', '{"a":1', "{", '{"a":"x<|call|>', '{"a":"\\']
)
def test_arguments_that_were_cut_off_name_the_output_limit(arguments: str) -> None:
    assert "output limit" in refusal(arguments)


@pytest.mark.parametrize("arguments", ['{"n":?}', '{"a":1 "b":2}', "{'a':1}", '{"a":1}}', '{"a":NaN}', '{"a":1,"a":2}'])
def test_what_is_no_json_is_named_as_such(arguments: str) -> None:
    assert "not valid JSON" in refusal(arguments)


@pytest.mark.parametrize("arguments", ["[]", "1", "null", '"{}"'])
def test_what_is_no_object_is_named_as_such(arguments: str) -> None:
    assert "one JSON object" in refusal(arguments)


@pytest.mark.parametrize("arguments", ['{"a":"\\ud800"}', '{"\\udfff":1}', '{"a":"\ud800"}'])
def test_half_a_character_is_refused(arguments: str) -> None:
    assert "half a character" in refusal(arguments)


@pytest.mark.parametrize(
    "arguments", ["[" * 100_000, '{"a":' * 5_000 + "1" + "}" * 5_000, '{"a":' + "9" * 10_000 + "}"]
)
def test_monstrous_arguments_are_refused_and_break_nothing(arguments: str) -> None:
    assert refusal(arguments)


def test_endless_arguments_are_refused_before_they_are_read() -> None:
    assert "longer than" in refusal('{"a":"' + "x" * MAX_CHARACTERS + '"}')


@given(text())
def test_no_text_makes_anything_but_an_object_or_a_refusal(arguments: str) -> None:
    try:
        assert isinstance(parse(arguments), dict)
    except NotochordError as error:
        assert error.code is Code.TOOL_ARGUMENTS  # noqa: PT017 - both are right here
