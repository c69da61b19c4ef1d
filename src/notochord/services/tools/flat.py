"""Makes texts from gems safe to stand in a prompt: one line, no control characters, not without end."""

import unicodedata
from dataclasses import replace

from notochord.core.strict_json import Json
from notochord.services.tools.api import ToolDefinition

MAX_NAME = 128
MAX_DESCRIPTION = 2_000

_BREAKS = frozenset({"Cc", "Zl", "Zp", "Zs"})
_DROPPED = frozenset({"Cf", "Cs", "Co", "Cn"})
_JOINERS = frozenset("\u200c\u200d")  # scripts and emoji need them
_TEXTS = frozenset({"description", "title"})


def flatten(text: str, limit: int) -> str:
    """Return `text` on one line of at most `limit` characters, without control, direction and invisible characters."""
    if text.isprintable() and "  " not in text:
        return text[:limit].strip()
    kept = []
    for letter in text[: 4 * limit]:
        category = unicodedata.category(letter)
        if category in _BREAKS:
            kept.append(" ")
        elif category not in _DROPPED or letter in _JOINERS:
            kept.append(letter)
    return " ".join("".join(kept).split())[:limit].rstrip()


def flatten_definition(definition: ToolDefinition) -> ToolDefinition:
    """Return the definition with every text in it flattened that a model reads."""
    schema = _flatten_schema(definition.schema)
    return replace(
        definition,
        description=flatten(definition.description, MAX_DESCRIPTION),
        schema=schema if isinstance(schema, dict) else {},
    )


def is_plain_name(name: str) -> bool:
    """Tell whether a tool's name can stand in a prompt as it is."""
    return bool(name) and " " not in name and flatten(name, MAX_NAME) == name


def _flatten_schema(node: Json) -> Json:
    if isinstance(node, dict):
        return {
            key: flatten(value, MAX_DESCRIPTION) if key in _TEXTS and isinstance(value, str) else _flatten_schema(value)
            for key, value in node.items()
        }
    return [_flatten_schema(item) for item in node] if isinstance(node, list) else node
