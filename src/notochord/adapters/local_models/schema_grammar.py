"""JSON Schema as GBNF: exactly the JSON texts that llama.cpp may write for it.

llama-cpp-python has a converter too; its strings take raw line breaks, which JSON does not, and a quote in an `enum`
breaks its grammar.
"""

import json
from typing import Any

Schema = dict[str, Any]

_DEPTH = 24
_SHARED = r"""
space ::= " "?
string ::= "\"" char* "\""
char ::= [^"\\\x00-\x1F\x7F] | "\\" (["\\/bfnrt] | "u" hex hex hex hex)
hex ::= [0-9a-fA-F]
integer ::= "-"? ("0" | [1-9] [0-9]{0,15})
number ::= integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,3})?
boolean ::= "true" | "false"
null ::= "null"
value ::= object | array | string | number | boolean | null
object ::= "{" space (pair ("," space pair)*)? space "}"
pair ::= string ":" space value
array ::= "[" space (value ("," space value)*)? space "]"
"""
_PLAIN = ("string", "integer", "number", "boolean", "null", "object", "array")


def literal(text: str) -> str:
    """Return `text` as a GBNF literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + "".join(letter if letter >= " " else f"\\x{ord(letter):02X}" for letter in escaped) + '"'


class SchemaGrammar:
    """Collects the rules of any number of schemas."""

    def __init__(self) -> None:
        self._rules: list[str] = []

    def text(self, root: str) -> str:
        """Return the grammar whose root is the given body."""
        return "\n".join([f"root ::= {root}", *self._rules, _SHARED.strip(), ""])

    def add(self, schema: object, depth: int = 0) -> str:
        """Return the body for a schema; what cannot be said in a grammar allows more than the schema does."""
        if not isinstance(schema, dict) or depth > _DEPTH:
            return "value"
        if "const" in schema:
            return literal(_json(schema["const"]))
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return self._rule(" | ".join(literal(_json(value)) for value in schema["enum"]))
        for key in ("anyOf", "oneOf"):
            if isinstance(schema.get(key), list) and schema[key]:
                return self._rule(" | ".join(self.add(part, depth + 1) for part in schema[key]))
        kinds = schema.get("type", "object" if "properties" in schema else None)
        if isinstance(kinds, list) and kinds:
            return self._rule(" | ".join(self.add({**schema, "type": kind}, depth + 1) for kind in kinds))
        return self._of_kind(kinds, schema, depth)

    def _of_kind(self, kind: object, schema: Schema, depth: int) -> str:
        if kind == "object" and isinstance(schema.get("properties"), dict):
            return self._object(schema, depth)
        if kind == "array" and "items" in schema:
            item = self.add(schema["items"], depth + 1)
            items = f'{item} ("," space {item})*'
            optional = not schema.get("minItems")
            return self._rule(f'"[" space {f"({items})?" if optional else items} space "]"')
        return kind if isinstance(kind, str) and kind in _PLAIN else "value"

    def _object(self, schema: Schema, depth: int) -> str:
        """Properties come in their order; those not required may be left out."""
        required = schema.get("required", [])
        first = rest = '""'
        for name, part in reversed(schema["properties"].items()):
            pair = self._rule(f'{literal(_json(name))} ":" space {self.add(part, depth + 1)}')
            after = rest
            if name in required:
                first, rest = f"{pair} {after}", self._rule(f'"," space {pair} {after}')
            else:
                first = self._rule(f"{pair} {after} | {first}")
                rest = self._rule(f'"," space {pair} {after} | {after}')
        return self._rule(f'"{{" space {first} space "}}"')

    def _rule(self, body: str) -> str:
        name = f"r{len(self._rules)}"
        self._rules.append(f"{name} ::= {body}")
        return name


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
