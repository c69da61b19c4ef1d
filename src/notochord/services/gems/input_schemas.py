"""The schemas of tools' arguments: which are accepted, and their plain form."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from notochord.core.strict_json import Json

UNSUPPORTED = frozenset(
    {
        *("pattern", "patternProperties", "uniqueItems", "unevaluatedItems", "unevaluatedProperties"),
        *("$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary"),
    }
)
"""The first could make a check take for ever (TOOL-027 to TOOL-029), so that none is made, and whoever wrote them would
rely on nothing; those with $ change what a reference means."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"
RECURSION_DEPTH = 3
"""How often a schema may lie inside itself before its content is no longer checked."""

MAX_NODES = 5_000

JsonObject = dict[str, Json]

_INDEX = re.compile("0|[1-9][0-9]{0,8}")

_MAPS = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SINGLE = frozenset(
    {
        "items",
        "contains",
        "additionalProperties",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
        "contentSchema",
    }
)
_COMBINING = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else"})


def compile_schema(schema: JsonObject) -> JsonObject:
    """Return the schema with every reference put in its place. Raises ValueError saying what cannot be accepted.

    A schema that lies inside itself is cut after RECURSION_DEPTH; what lies deeper is accepted unchecked.
    """
    try:
        Draft202012Validator.check_schema(schema)
    except (SchemaError, RecursionError) as error:
        raise ValueError(f"does not compile: {getattr(error, 'message', error)}") from error
    if schema.get("$schema", DIALECT) != DIALECT:
        raise ValueError("$schema: only draft 2020-12 is supported")
    if schema.get("type") != "object":
        raise ValueError('type: the arguments are an object, so "type" has to be "object"')
    try:
        inlined = _Inliner(schema).inline(schema, ())
    except RecursionError as error:
        raise ValueError("its references are nested too deeply") from error
    assert isinstance(inlined, dict)
    return inlined


def plain(schema: JsonObject) -> JsonObject:
    """Return what models are shown: without combinations at the top level, which some providers refuse."""
    return {key: value for key, value in schema.items() if key not in _COMBINING and not key.startswith("$")}


class _Inliner:
    """Puts references in place, with limits on depth and on the number of parts."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._nodes = 0

    def inline(self, schema: Json, inside: tuple[str, ...]) -> Json:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise ValueError(f"more than {MAX_NODES} parts once its references are put in place")
        if not isinstance(schema, dict):
            return schema
        for key in schema:
            if key in UNSUPPORTED:
                raise ValueError(f"{key} is not supported")
        result = {
            key: self._keyword(key, value, inside)
            for key, value in schema.items()
            if key not in {"$ref", "$defs", "definitions", "$schema", "$comment"}
        }
        for name in ("$defs", "definitions"):
            self._check_unused(schema.get(name))
        if "$ref" in schema:
            return self._merged(schema["$ref"], result, inside)
        return result

    def _keyword(self, key: str, value: Json, inside: tuple[str, ...]) -> Json:
        if key in _MAPS and isinstance(value, dict):
            return {name: self.inline(part, inside) for name, part in value.items()}
        if key in _LISTS and isinstance(value, list):
            return [self.inline(part, inside) for part in value]
        return self.inline(value, inside) if key in _SINGLE else value

    def _merged(self, reference: Json, beside: JsonObject, inside: tuple[str, ...]) -> Json:
        if not isinstance(reference, str) or not reference.startswith("#"):
            raise ValueError(f"$ref: only references inside the schema are supported, not {reference!r}")
        if inside.count(reference) >= RECURSION_DEPTH:
            return beside
        target = self.inline(self._find(reference), (*inside, reference))
        if not beside:
            return target
        if isinstance(target, dict) and not set(target) & set(beside) - {"description", "title", "default"}:
            return {**target, **beside}
        return {**beside, "allOf": [*_list(beside.get("allOf")), target]}

    def _find(self, reference: str) -> Json:
        found: Json = self._root
        name, *parts = unquote(reference[1:]).split("/")
        if name:
            raise ValueError(f"$ref: {reference[:200]!r} leads nowhere")
        for part in parts:
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict) and key in found:
                found = found[key]
            elif isinstance(found, list) and _INDEX.fullmatch(key) and int(key) < len(found):
                found = found[int(key)]
            else:
                raise ValueError(f"$ref: {reference!r} leads nowhere")
        if not isinstance(found, dict | bool):
            raise ValueError(f"$ref: {reference!r} is not a schema")
        return found

    def _check_unused(self, definitions: Json) -> None:
        """Refuse unsupported keywords in definitions too, used or not."""
        for part in _parts(definitions):
            for key in UNSUPPORTED & part.keys():
                raise ValueError(f"{key} is not supported")


def _parts(definitions: Json) -> Iterator[JsonObject]:
    if not isinstance(definitions, dict):
        return
    for part in definitions.values():
        if isinstance(part, dict):
            yield part


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
