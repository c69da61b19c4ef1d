"""The doors' values as JSON for scripts."""

from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path

from notochord.core.strict_json import Json
from notochord.services.models.api import Reasoning, Text, ToolCall, ToolResult

_TAGS: dict[type[object], str] = {Text: "text", Reasoning: "reasoning", ToolCall: "call", ToolResult: "result"}
"""Values of one union, which a script could not tell apart."""


def record(value: object) -> Json:
    """Turn a value of a door into JSON. Raises TypeError for what must not be shown, such as keys and secrets."""
    if isinstance(value, Enum):
        return record(value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, dict):
        return {str(key): record(item) for key, item in value.items()}
    if isinstance(value, list | tuple | frozenset):
        return [record(item) for item in (sorted(value) if isinstance(value, frozenset) else value)]
    if is_dataclass(value) and not isinstance(value, type):
        tag = _TAGS.get(type(value))
        named = {field.name: record(getattr(value, field.name)) for field in fields(value)}
        return {"type": tag, **named} if tag else named
    raise TypeError(f"{type(value).__name__} is not for showing")
