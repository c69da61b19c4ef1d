"""Rewrites a tool's JSON Schema into the plain form that every provider takes; the full one stays for checking."""

from dataclasses import dataclass, field

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from notochord.core.flat_text import flattened
from notochord.core.strict_json import Json
from notochord.services.models.names import Names

RECURSION = 4
"""How often a schema that refers to itself is written out before it is cut."""

MOST_NODES = 4_000
_DESCRIPTION = 1_024
_COMBINING = ("anyOf", "oneOf", "allOf", "not", "if", "then", "else", "enum", "const")
_BOOKKEEPING = ("$schema", "$id", "$anchor", "$defs", "definitions", "$comment", "$dynamicAnchor", "$vocabulary")
_NAMED = ("properties", "patternProperties", "dependentSchemas")
_LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_KNOWN_TO_GEMINI = frozenset(
    {
        "type",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "items",
        "maxItems",
        "minItems",
        "properties",
        "required",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "pattern",
        "anyOf",
        "default",
        "additionalProperties",
    }
)

Schema = dict[str, Json]


class SchemaUnusable(ValueError):
    """Why a tool cannot be offered."""


@dataclass(frozen=True, slots=True)
class PlainSchema:
    """A schema for the wire, and the names that its properties have there."""

    schema: Schema
    properties: Names


def plain_schema(schema: Schema, *, narrow: bool = False) -> PlainSchema:
    """Inline references, drop what stands at the top beside `properties`, rename properties that a provider refuses.

    References into `$defs` or any other place of the schema are followed; recursion is cut after RECURSION rounds,
    where anything is allowed. `narrow` keeps only the keywords that Gemini knows. Raises SchemaUnusable.
    """
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise SchemaUnusable(flattened(error.message, 200)) from error
    except RecursionError as error:
        raise SchemaUnusable("nested too deeply") from error
    inlined = _Inliner(schema).inline()
    if inlined.get("type", "object") != "object":
        raise SchemaUnusable("the arguments are not an object")
    top = {key: value for key, value in inlined.items() if key not in _COMBINING}
    top["type"] = "object"
    top.setdefault("properties", {})
    names = Names.of_properties(_property_names(top))
    renamed = top if names.change_nothing else _renamed(top, names)
    return PlainSchema(_narrowed(renamed) if narrow else renamed, names)


@dataclass
class _Inliner:
    root: Schema
    nodes: int = 0
    following: list[str] = field(default_factory=list)

    def inline(self) -> Schema:
        found = self._visit(self.root)
        if not isinstance(found, dict):
            raise SchemaUnusable("the arguments are not an object")
        return found

    def _visit(self, node: Json) -> Json:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise SchemaUnusable(f"more than {MOST_NODES} parts when written out")
        if not isinstance(node, dict):
            return node
        reference = node.get("$ref", node.get("$dynamicRef"))
        if reference is not None:
            return self._follow(str(reference), node)
        return {key: self._child(key, value) for key, value in node.items() if key not in _BOOKKEEPING}

    def _child(self, key: str, value: Json) -> Json:
        if key in _NAMED and isinstance(value, dict):
            return {name: self._visit(item) for name, item in value.items()}
        if key in _LISTED and isinstance(value, list):
            return [self._visit(item) for item in value]
        if key in _SINGLE:
            return self._visit(value)
        if key in ("title", "description") and isinstance(value, str):
            return flattened(value, _DESCRIPTION)
        return value

    def _follow(self, reference: str, node: Schema) -> Json:
        if self.following.count(reference) >= RECURSION:
            return {"description": f"nested as above; not described more than {RECURSION} levels deep"}
        target = self._target(reference)
        if not isinstance(target, dict):
            return target
        beside = {key: value for key, value in node.items() if key not in ("$ref", "$dynamicRef")}
        self.following.append(reference)
        try:
            return self._visit({**target, **beside})
        finally:
            self.following.pop()

    def _target(self, reference: str) -> Json:
        if not reference.startswith("#"):
            raise SchemaUnusable(f"refers to {flattened(reference, 80)}, which is not in the schema")
        found: Json = self.root
        for step in reference[1:].split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(found, list) and name.isdecimal() and int(name) < len(found):
                found = found[int(name)]
            elif isinstance(found, dict) and name in found:
                found = found[name]
            else:
                raise SchemaUnusable(f"refers to {flattened(reference, 80)}, which is not there")
        return found


def _property_names(node: Json) -> set[str]:
    if isinstance(node, list):
        return {name for item in node for name in _property_names(item)}
    if not isinstance(node, dict):
        return set()
    properties = node.get("properties")
    own = set(properties) if isinstance(properties, dict) else set()
    return own.union(*(_property_names(item) for item in _children(node)))


def _children(node: Schema) -> list[Json]:
    found: list[Json] = [node[key] for key in (*_SINGLE, *_LISTED) if key in node]
    for key in _NAMED:
        named = node.get(key)
        if isinstance(named, dict):
            found.extend(named.values())
    return found


def _renamed(node: Schema, names: Names) -> Schema:
    return {key: _renamed_child(key, value, names) for key, value in node.items()}


def _renamed_child(key: str, value: Json, names: Names) -> Json:
    if key in ("properties", "dependentSchemas") and isinstance(value, dict):
        return {names.there(name): _renamed_node(item, names) for name, item in value.items()}
    if key == "patternProperties" and isinstance(value, dict):
        return {name: _renamed_node(item, names) for name, item in value.items()}
    if key == "required" and isinstance(value, list):
        return [names.there(name) if isinstance(name, str) else name for name in value]
    if key in _LISTED and isinstance(value, list):
        return [_renamed_node(item, names) for item in value]
    return _renamed_node(value, names) if key in _SINGLE else value


def _renamed_node(value: Json, names: Names) -> Json:
    return _renamed(value, names) if isinstance(value, dict) else value


def _narrowed(node: Schema) -> Schema:
    result: Schema = {}
    for key, value in _translated(node).items():
        if key not in _KNOWN_TO_GEMINI:
            continue
        if key == "properties" and isinstance(value, dict):
            result[key] = {name: _narrowed_node(item) for name, item in value.items()}
        elif key == "anyOf" and isinstance(value, list):
            result[key] = [_narrowed_node(item) for item in value]
        elif key in ("items", "additionalProperties"):
            result[key] = _narrowed_node(value)
        else:
            result[key] = value
    return result


def _narrowed_node(value: Json) -> Json:
    return _narrowed(value) if isinstance(value, dict) else value


def _translated(node: Schema) -> Schema:
    """Say the same, as far as possible, in the keywords that Gemini knows."""
    result = dict(node)
    if "const" in result:
        result["enum"] = [result.pop("const")]
    if "oneOf" in result and "anyOf" not in result:
        result["anyOf"] = result.pop("oneOf")
    kinds = result.get("type")
    if isinstance(kinds, list):
        plain = [kind for kind in kinds if kind != "null"]
        result["nullable"] = "null" in kinds
        del result["type"]
        if len(plain) == 1:
            result["type"] = plain[0]
        elif plain:
            result["anyOf"] = [{"type": kind} for kind in plain]
    if any(not isinstance(item, str) for item in _list(result.get("enum"))):
        del result["enum"]
    return result


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
