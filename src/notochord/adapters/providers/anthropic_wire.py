"""The Anthropic messages format: our messages as it wants them, its events as our pieces."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from notochord.services.models.ports import (
    CallPiece,
    Finish,
    Message,
    Part,
    Piece,
    Reasoning,
    ReasoningPiece,
    ReasoningSeal,
    Role,
    Spent,
    Stopped,
    Text,
    TextPiece,
    ToolCall,
    ToolResult,
    WireCall,
)

Body = dict[str, Any]

_FINISH = {
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP,
    "pause_turn": Finish.STOP,
    "tool_use": Finish.TOOLS,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.REFUSAL,
}
_THOUGHTS = ("thinking", "redacted_thinking")


def body(call: WireCall) -> Body:
    """Return the request; `seed` has no place in this format."""
    found: Body = {
        "model": call.model,
        "max_tokens": call.max_output_tokens,
        "messages": _messages(call.messages),
    }
    if call.system.strip():
        found["system"] = call.system
    if call.tools:
        found["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema} for tool in call.tools
        ]
    if call.temperature is not None:
        found["temperature"] = min(call.temperature, 1.0)
    return found


def _messages(messages: tuple[Message, ...]) -> list[Body]:
    """Return user and assistant messages in turn; results of tools come first in the user's message."""
    found: list[Body] = []
    for message in messages:
        role = "assistant" if message.role is Role.ASSISTANT else "user"
        blocks = [block for part in message.parts if (block := _block(part))]
        if found and found[-1]["role"] == role:
            found[-1]["content"].extend(blocks)
        else:
            found.append({"role": role, "content": blocks})
    return found


def _block(part: Part) -> Body:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Reasoning():
            block = json.loads(part.opaque)
            return block if isinstance(block, dict) and block.get("type") in _THOUGHTS else {}
        case ToolCall():
            return {"type": "tool_use", "id": part.id, "name": part.name, "input": json.loads(part.arguments)}
        case ToolResult():
            result: Body = {"type": "tool_result", "tool_use_id": part.call, "content": part.text}
            return {**result, "is_error": True} if part.failed else result


class EventReader:
    """Reads the events of one answer; the client's own accumulator would stop at arguments that are no JSON."""

    def __init__(self) -> None:
        self._blocks: dict[int, Body] = {}

    def read(self, event: Mapping[str, Any]) -> Iterator[Piece]:
        match event.get("type"):
            case "message_start":
                yield from _spent(_mapping(event.get("message")).get("usage"))
            case "content_block_start":
                yield from self._start(_index(event), dict(_mapping(event.get("content_block"))))
            case "content_block_delta":
                yield from self._delta(_index(event), _mapping(event.get("delta")))
            case "content_block_stop":
                yield from self._stop(_index(event))
            case "message_delta":
                yield from _spent(event.get("usage"))
                reason = _mapping(event.get("delta")).get("stop_reason")
                if isinstance(reason, str):
                    yield Stopped(_FINISH.get(reason, Finish.STOP))
            case _:
                pass

    def end(self) -> Iterator[Piece]:
        yield from ()

    def _start(self, index: int, block: Body) -> Iterator[Piece]:
        self._blocks[index] = block
        match block.get("type"):
            case "text" if block.get("text"):
                yield TextPiece(str(block["text"]))
            case "thinking" if block.get("thinking"):
                yield ReasoningPiece(str(block["thinking"]))
            case "tool_use":
                start = block.get("input")
                arguments = json.dumps(start, ensure_ascii=False) if start else ""
                yield CallPiece(index, str(block.get("id") or ""), str(block.get("name") or ""), arguments)
            case _:
                pass

    def _delta(self, index: int, delta: Mapping[str, Any]) -> Iterator[Piece]:
        block = self._blocks.setdefault(index, {})
        match delta.get("type"):
            case "text_delta":
                yield TextPiece(str(delta.get("text") or ""))
            case "thinking_delta":
                text = str(delta.get("thinking") or "")
                block["thinking"] = str(block.get("thinking") or "") + text
                yield ReasoningPiece(text)
            case "signature_delta":
                block["signature"] = str(block.get("signature") or "") + str(delta.get("signature") or "")
            case "input_json_delta":
                yield CallPiece(index, "", "", str(delta.get("partial_json") or ""))
            case _:
                pass

    def _stop(self, index: int) -> Iterator[Piece]:
        block = self._blocks.pop(index, {})
        if block.get("type") in _THOUGHTS:
            yield ReasoningSeal(json.dumps(block, ensure_ascii=False))


def _spent(usage: object) -> Iterator[Spent]:
    if isinstance(usage, Mapping):
        read = (_count(usage.get(f"cache_{kind}_input_tokens")) for kind in ("creation", "read"))
        yield Spent(_count(usage.get("input_tokens")) + sum(read), _count(usage.get("output_tokens")))


def _index(event: Mapping[str, Any]) -> int:
    index = event.get("index")
    return index if isinstance(index, int) else 0


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**40 else 0
