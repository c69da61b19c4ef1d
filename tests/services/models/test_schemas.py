"""Schemas and names become what every provider takes, and arguments find their way back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.strict_json import Json
from notochord.services.models.names import Names
from notochord.services.models.schemas import RECURSION, SchemaUnusable, plain_schema
from support.provider_rules import NAME, PROPERTY


def plain(schema: dict[str, Any], *, narrow: bool = False) -> dict[str, Any]:
    return plain_schema(schema, narrow=narrow).schema


def test_references_with_keys_beside_them_are_inlined() -> None:
    """Known fault P1."""
    schema = {
        "$defs": {"X": {"type": "string", "description": "an x"}},
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/X", "default": 1}},
    }
    assert plain(schema)["properties"]["a"] == {"type": "string", "description": "an x", "default": 1}
    assert "$defs" not in plain(schema)


def test_references_into_properties_are_inlined() -> None:
    """Known fault P2."""
    headers = {"type": "array", "items": {"type": "string"}}
    schema = {"type": "object", "properties": {"headers": headers, "more": {"$ref": "#/properties/headers"}}}
    assert plain(schema)["properties"]["more"] == headers


def test_recursion_is_cut_at_the_stated_depth() -> None:
    """Known fault P2."""
    tree = {"type": "object", "properties": {"kid": {"$ref": "#/$defs/T"}}}
    found: Any = plain({"$defs": {"T": tree}, "type": "object", "properties": {"root": {"$ref": "#/$defs/T"}}})
    found = found["properties"]["root"]
    for _ in range(RECURSION - 1):
        found = found["properties"]["kid"]
    assert set(found["properties"]["kid"]) == {"description"}


def test_what_stands_at_the_top_beside_the_properties_is_left_to_the_local_check() -> None:
    """Known fault P4."""
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert plain(schema) == {"type": "object", "properties": {"a": {}, "b": {}}}


def test_property_names_are_made_legal_also_where_they_are_required_and_nested() -> None:
    """Known fault P5."""
    inner: Json = {"type": "object", "properties": {"größe": {"type": "string"}}, "required": ["größe"]}
    found = plain_schema({"type": "object", "properties": {"a b": inner, "x" * 70: {}, "$x": {}}, "required": ["a b"]})
    there = found.properties.there
    nested: Any = found.schema["properties"]
    assert all(PROPERTY.fullmatch(name) for name in nested)
    assert found.schema["required"] == [there("a b")]
    assert nested[there("a b")]["required"] == [there("größe")]
    assert len(nested) == 3
    arguments: Json = {there("a b"): {there("größe"): "x"}}
    assert found.properties.keys_back(arguments) == {"a b": {"größe": "x"}}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": "object", "properties": {"a": {"$ref": "https://example.com/x.json"}}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/gone"}}},
        {"type": "wrong"},
    ],
)
def test_a_schema_that_cannot_be_described_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaUnusable):
        plain_schema(schema)


def test_a_schema_that_grows_without_end_is_refused() -> None:
    wide: Json = {f"p{number}": {"$ref": "#/$defs/W"} for number in range(12)}
    schema: dict[str, Json] = {
        "$defs": {"W": {"type": "object", "properties": wide}},
        "type": "object",
        "properties": wide,
    }
    with pytest.raises(SchemaUnusable):
        plain_schema(schema)


def test_for_gemini_the_same_is_said_in_fewer_keywords() -> None:
    properties = {"a": {"const": "x"}, "b": {"type": ["string", "null"]}, "c": {"oneOf": [{"type": "string"}]}}
    found = plain({"type": "object", "properties": properties, "unevaluatedProperties": False}, narrow=True)
    assert found == {
        "type": "object",
        "properties": {
            "a": {"enum": ["x"]},
            "b": {"nullable": True, "type": "string"},
            "c": {"anyOf": [{"type": "string"}]},
        },
    }


@given(st.sets(st.text(min_size=1, max_size=80), max_size=20))
def test_every_name_becomes_legal_unique_and_finds_its_way_back(names: set[str]) -> None:
    for made, legal in ((Names.of_tools(names), NAME), (Names.of_properties(names), PROPERTY)):
        there = [made.there(name) for name in names]
        assert all(legal.fullmatch(name) for name in there)
        assert len(set(there)) == len(names)
        assert {made.back(name) for name in there} == names


def test_dots_become_underscores_unless_that_name_is_taken() -> None:
    names = Names.of_tools(["fs.read", "fs_read", "fs.list"])
    assert names.there("fs.list") == "fs_list"
    assert names.there("fs_read") == "fs_read"
    assert names.there("fs.read").startswith("fs_read_")
