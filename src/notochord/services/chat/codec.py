"""Messages as they lie in the record: JSON of their parts, with what a provider needs back verbatim kept as it came."""

from notochord.core.strict_json import Json, decode, encode
from notochord.services.models.api import Part, Reasoning, Text, ToolCall, ToolResult


def encode_parts(parts: tuple[Part, ...]) -> str:
    return encode([encoded_part(part) for part in parts])


def decode_parts(text: str) -> tuple[Part, ...]:
    """Read what `encode_parts` wrote. Raises ValueError for anything else."""
    found = decode(text)
    if not isinstance(found, list):
        raise ValueError("parts are a list")
    return tuple(_decoded(item) for item in found)


def encoded_part(part: Part) -> Json:
    """Return one part as a value of JSON."""
    match part:
        case Text(text):
            return {"text": text}
        case Reasoning(text, provider, opaque):
            return {"reasoning": text, "provider": provider, "opaque": opaque}
        case ToolCall(id, name, arguments, provider, opaque):
            return {"call": id, "name": name, "arguments": arguments, "provider": provider, "opaque": opaque}
        case ToolResult(call, text, failed):
            return {"result": call, "text": text, "failed": failed}


def _decoded(item: Json) -> Part:
    match item:
        case {"call": str(call), "name": str(name), "arguments": str(text), "provider": str(by), "opaque": str(opaque)}:
            return ToolCall(call, name, text, by, opaque)
        case {"result": str(call), "text": str(text), "failed": bool(failed)}:
            return ToolResult(call, text, failed)
        case {"reasoning": str(text), "provider": str(provider), "opaque": str(opaque)}:
            return Reasoning(text, provider, opaque)
        case {"text": str(text)}:
            return Text(text)
        case _:
            raise ValueError("an unknown part of a message")
