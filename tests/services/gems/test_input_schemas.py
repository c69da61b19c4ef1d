"""Schemas of arguments: which are accepted, what models are shown, and what cannot hang the program."""

from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.input_schemas import compile_schema, plain
from notochord.services.tools.schema import ArgumentCheck


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


TREE: dict[str, Any] = {
    **of(tree={"$ref": "#/$defs/node"}),
    "$defs": {"node": {**of(name={"type": "string"}, children={"type": "array", "items": {"$ref": "#/$defs/node"}})}},
}


def fits(schema: dict[str, Any], arguments: dict[str, Any]) -> bool:
    try:
        ArgumentCheck().run(compile_schema(schema), arguments)
    except NotochordError as error:
        assert error.code is Code.TOOL_ARGUMENTS  # noqa: PT017 - every other code is a failure of the test
        return False
    return True


@pytest.mark.req("TOOL-025", "TOOL-026")
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": "text"}}},
        {"type": "object", "properties": []},
        {"type": "object", "required": "a"},
        {"type": "object", "properties": {"a": {"minimum": "1"}}},
        {"type": "string"},
        {},
        of(a={"$ref": "#/$defs/none"}),
        of(a={"$ref": "https://example.com/schema"}),
        of(a={"$ref": "other.json"}),
        of(a={"$ref": 7}),
        of(a={"$ref": "#none"}),
        of(a={"$ref": "#none/properties/a"}),
        {**of(a={"$ref": "#/allOf/\u0660"}), "allOf": [{}]},
        {**of(a={"$ref": "#/allOf/00"}), "allOf": [{}]},
        of(a={"$ref": "#/allOf/" + "9" * 5_000}),
        {**of(), "$schema": "http://json-schema.org/draft-07/schema#"},
        of(a={"$id": "x"}),
        of(a={"$dynamicRef": "#x"}),
    ],
)
def test_a_schema_that_does_not_compile_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        compile_schema(schema)


@pytest.mark.req("TOOL-027", "TOOL-028", "TOOL-029")
@pytest.mark.parametrize("keyword", [{"pattern": "^(a+)+$"}, {"patternProperties": {"a": {}}}, {"uniqueItems": True}])
@pytest.mark.parametrize("place", ["property", "items", "definition", "condition"])
def test_keywords_that_could_take_for_ever_are_refused_wherever_they_stand(keyword: dict[str, Any], place: str) -> None:
    schemas = {
        "property": of(a=keyword),
        "items": of(a={"type": "array", "items": {"anyOf": [keyword]}}),
        "definition": {**of(), "$defs": {"unused": keyword}},
        "condition": {**of(), "if": keyword},
    }
    with pytest.raises(ValueError, match=next(iter(keyword))):
        compile_schema(schemas[place])


def test_a_property_may_have_the_name_of_a_keyword() -> None:
    assert fits(of(pattern={"type": "string"}, uniqueItems={"type": "integer"}), {"pattern": "x", "uniqueItems": 1})


def test_references_are_put_in_place_also_beside_other_keywords() -> None:
    schema = {
        **of(
            a={"$ref": "#/$defs/X", "default": 1}, b={"$ref": "#/properties/headers"}, headers=of(h={"type": "string"})
        ),
        "$defs": {"X": {"type": "integer", "minimum": 0}},
    }
    shown = plain(compile_schema(schema))
    assert shown["properties"] == {
        "a": {"type": "integer", "minimum": 0, "default": 1},
        "b": of(h={"type": "string"}),
        "headers": of(h={"type": "string"}),
    }
    assert "$" not in str(shown)


def test_keywords_beside_a_reference_that_say_the_same_thing_both_hold() -> None:
    schema = {**of(a={"$ref": "#/$defs/X", "minimum": 5}), "$defs": {"X": {"type": "integer", "minimum": 0}}}
    assert fits(schema, {"a": 5})
    assert not fits(schema, {"a": 4})
    assert not fits(schema, {"a": "x"})


def test_a_schema_inside_itself_is_checked_to_its_stated_depth() -> None:
    leaf: dict[str, Any] = {"name": "leaf"}
    assert fits(TREE, {"tree": {"name": "root", "children": [leaf]}})
    assert not fits(TREE, {"tree": {"name": "root", "children": [{"name": 7}]}})
    deep: dict[str, Any] = {"name": 7}
    for _ in range(150):
        deep = {"name": "x", "children": [deep]}
    assert fits(TREE, {"tree": deep})


def test_a_schema_that_grows_without_end_is_refused() -> None:
    definitions = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(30)}
    schema = {**of(a={"$ref": "#/$defs/d0"}), "$defs": {**definitions, "d30": {}}}
    with pytest.raises(ValueError, match="parts"):
        compile_schema(schema)


def test_references_that_lead_on_and_on_are_refused() -> None:
    definitions: dict[str, Any] = {f"d{n}": {"properties": {"x": {"$ref": f"#/$defs/d{n + 1}"}}} for n in range(2000)}
    schema = {**of(a={"$ref": "#/$defs/d0"}), "$defs": {**definitions, "d2000": {}}}
    with pytest.raises(ValueError, match="nested too deeply"):
        compile_schema(schema)


def test_a_reference_to_itself_alone_ends() -> None:
    assert fits({**of(a={"$ref": "#/$defs/x"}), "$defs": {"x": {"$ref": "#/$defs/x"}}}, {"a": 1})


def test_combinations_at_the_top_are_checked_but_not_shown() -> None:
    schema = {**of(a={}, b={}), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert plain(compile_schema(schema)) == of(a={}, b={})
    assert fits(schema, {"b": 1})
    assert not fits(schema, {})


@pytest.mark.parametrize("value", [1e308, -1e308, 10**400])
def test_numbers_at_the_edge_do_not_break_the_check(value: float) -> None:
    assert fits(of(a={"multipleOf": 0.1, "type": "number"}), {"a": value}) in {True, False}
