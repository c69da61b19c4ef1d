"""Makes texts from gems safe to stand in a prompt: one line, no control characters, not without end."""

from dataclasses import replace

from notochord.core.flat_text import flattened
from notochord.core.strict_json import Json
from notochord.services.tools.api import ToolDefinition

MAX_NAME = 128
MAX_DESCRIPTION = 2_000

_TEXTS = frozenset({"description", "title"})


def flatten_definition(definition: ToolDefinition) -> ToolDefinition:
    """Return the definition with every text in it flattened that a model reads."""
    schema = _flatten_schema(definition.schema)
    return replace(
        definition,
        description=_flatten_text(definition.description),
        schema=schema if isinstance(schema, dict) else {},
    )


def is_plain_name(name: str) -> bool:
    """Tell whether a tool's name can stand in a prompt as it is."""
    return bool(name) and " " not in name and flattened(name, MAX_NAME) == name


def _flatten_text(text: str) -> str:
    return flattened(text, MAX_DESCRIPTION)


def _flatten_schema(node: Json) -> Json:
    if isinstance(node, dict):
        return {
            key: _flatten_text(value) if key in _TEXTS and isinstance(value, str) else _flatten_schema(value)
            for key, value in node.items()
        }
    return [_flatten_schema(item) for item in node] if isinstance(node, list) else node
