"""Arguments are checked against the tool's schema: what is wrong is said, and no schema can hang the program."""

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json
from notochord.services.tools import schema as tool_schemas
from notochord.services.tools.schema import ArgumentCheck

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "count": {"type": "integer", "minimum": 1},
        "kind": {"enum": ["a", "b"]},
        "range": {"type": "object", "properties": {"from": {"type": "integer"}}, "additionalProperties": False},
    },
    "required": ["path"],
    "additionalProperties": False,
}


def check(schema: dict[str, Json], arguments: Json) -> dict[str, Json]:
    return ArgumentCheck().run(schema, arguments)


def refusal(schema: dict[str, Json], arguments: Json) -> str:
    with pytest.raises(NotochordError) as caught:
        check(schema, arguments)
    assert caught.value.code is Code.TOOL_ARGUMENTS
    return caught.value.detail


@pytest.mark.req("TOOL-021", "TOOL-024")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"path": 5}, ['"path"', "string", "not a number"]),
        ({"path": "x", "count": True}, ['"count"', "integer", "not true or false"]),
        ({"path": "x", "count": 0}, ['"count"', "minimum"]),
        ({"path": "x", "kind": "c"}, ['"kind"', "'a', 'b'"]),
        ({"path": "x", "range": {"from": "1"}}, ['"range.from"', "integer", "not a text"]),
        ({"path": None}, ['"path"', "null"]),
    ],
)
def test_a_wrong_value_is_named_with_what_was_wanted(arguments: Json, words: list[str]) -> None:
    detail = refusal(SCHEMA, arguments)
    assert [word for word in words if word not in detail] == []


@pytest.mark.req("TOOL-022", "TOOL-024")
def test_a_missing_argument_is_named() -> None:
    assert "'path' is a required property" in refusal(SCHEMA, {})


@pytest.mark.req("TOOL-023", "TOOL-024")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"path": "x", "pth": "y"}, ["no pth", "path, count, kind, range"]),
        ({"path": "x", "pth": None}, ["no pth"]),
        ({"path": "x", "range": {"to": 1}}, ['"range" has no to', "it takes: from"]),
    ],
)
def test_an_argument_too_many_is_named_with_those_that_exist(arguments: Json, words: list[str]) -> None:
    detail = refusal(SCHEMA, arguments)
    assert [word for word in words if word not in detail] == []


@pytest.mark.req("TOOL-030")
def test_null_for_an_optional_argument_is_as_if_it_were_not_given() -> None:
    assert check(SCHEMA, {"path": "x", "count": None, "range": None}) == {"path": "x"}


def test_the_messages_stay_short_whatever_was_given() -> None:
    assert len(refusal(SCHEMA, {"path": ["x" * 100_000], **{f"extra{number}": 1 for number in range(10_000)}})) < 3_000


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"pattern": "(a+)+$"}}},
        {"patternProperties": {"(a+)+$": {"type": "integer"}}},
        {"patternProperties": {"(a+)+$": {}}, "additionalProperties": False},
        {"patternProperties": {"(a+)+$": {}}, "unevaluatedProperties": False},
        {"properties": {"a": {"format": "regex"}}},
    ],
)
def test_patterns_are_not_evaluated(schema: dict[str, Json]) -> None:
    value: dict[str, Json] = {"a" * 40 + "!": 1, "a": "a" * 40 + "!"}
    assert check(schema, value) == value


def test_uniqueness_is_not_evaluated() -> None:
    value: dict[str, Json] = {"a": [{"x": 1}] * 5_000}
    assert check({"properties": {"a": {"uniqueItems": True}}}, value) == value


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/none"},
        {"$ref": "https://example.org/schema.json"},
        {"type": "nonsense"},
        {"properties": 5},
        {"$defs": {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(40)}, "$ref": "#/$defs/a0"},
    ],
)
def test_a_schema_that_cannot_be_used_is_the_tools_own_failure(schema: dict[str, Json]) -> None:
    with pytest.raises(NotochordError) as caught:
        check(schema, {"a": 1})
    assert caught.value.code is Code.TOOL_FAILED


def test_references_within_the_schema_are_followed() -> None:
    schema: dict[str, Json] = {
        "$defs": {
            "tree": {"type": "object", "properties": {"below": {"$ref": "#/$defs/tree"}, "n": {"type": "integer"}}}
        },
        "properties": {"tree": {"$ref": "#/$defs/tree"}},
    }
    assert check(schema, {"tree": {"below": {"n": 1}}})
    assert '"tree.below.n"' in refusal(schema, {"tree": {"below": {"n": "1"}}})


def test_people_are_told_what_does_not_fit_without_what_the_model_is_told_beside_it() -> None:
    schema: dict[str, Json] = {"type": "object", "required": ["item"]}
    with pytest.raises(NotochordError) as refused:
        check(schema, {})
    told = Sentences.load("en").failure(refused.value)
    assert told.endswith("'item' is a required property. Correct them and call it again.")
    assert refused.value.detail.endswith("The tool did not run. Call it again with correct arguments.")


def choices(depth: int) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "string"}
    for _ in range(depth):
        schema = {"anyOf": [{"type": "array", "items": schema}] * 40}
    return schema


@pytest.mark.parametrize("most", [tool_schemas.MAX_STEPS, 2_000])
def test_a_check_ends_after_its_steps_although_small_arguments_ask_for_more(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(tool_schemas, "MAX_STEPS", most)
    arguments: Json = {"a": [[1, 2, 3]] * 3}
    ends = {Code.TOOL_ARGUMENTS} if most > 2_000 else {Code.TOOL_FAILED}
    with pytest.raises(NotochordError) as caught:
        check({"properties": {"a": choices(2)}}, arguments)
    assert caught.value.code in ends
