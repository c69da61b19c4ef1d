"""The OpenAI chat format: our messages as it wants them, its chunks as our pieces."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from notochord.core import strict_json
from notochord.services.models.ports import (
    CallPiece,
    Finish,
    Message,
    Piece,
    ProviderKind,
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
    WireTool,
)

Body = dict[str, Any]

_FINISH = {
    "stop": Finish.STOP,
    "tool_calls": Finish.TOOLS,
    "function_call": Finish.TOOLS,
    "length": Finish.LENGTH,
    "content_filter": Finish.REFUSAL,
}
_REASONING = ("reasoning_content", "reasoning")
_CALL_EXTRAS = ("extra_content",)
"""Fields beside a call that its provider needs back (Gemini's thought signatures)."""


def body(call: WireCall) -> Body:
    """Return the request. Fields that a kind of provider does not document are left out for it."""
    openai = call.endpoint.kind is ProviderKind.OPENAI
    found: Body = {
        "model": call.model,
        "messages": [*_system(call.system), *(item for message in call.messages for item in _message(message))],
        "stream_options": {"include_usage": True},
    }
    if call.tools:
        found["tools"] = [_tool(tool) for tool in call.tools]
    if call.max_output_tokens:
        found["max_completion_tokens" if openai else "max_tokens"] = call.max_output_tokens
    if call.temperature is not None:
        found["temperature"] = call.temperature
    if call.seed is not None and call.endpoint.kind is not ProviderKind.GEMINI:
        found["seed"] = call.seed
    return found


def _system(text: str) -> list[Body]:
    return [{"role": "system", "content": text}] if text.strip() else []


def _tool(tool: WireTool) -> Body:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}


def _message(message: Message) -> Iterator[Body]:
    match message.role:
        case Role.TOOL:
            for part in message.parts:
                if isinstance(part, ToolResult):
                    text = f"Error: {part.text}" if part.failed else part.text
                    yield {"role": "tool", "tool_call_id": part.call, "content": text}
        case Role.USER:
            yield {"role": "user", "content": _text(message)}
        case Role.ASSISTANT:
            yield _assistant(message)


def _text(message: Message) -> str:
    return "\n\n".join(part.text for part in message.parts if isinstance(part, Text))


def _assistant(message: Message) -> Body:
    calls = [part for part in message.parts if isinstance(part, ToolCall)]
    found: Body = {"role": "assistant", "content": _text(message) or None}
    for part in message.parts:
        if isinstance(part, Reasoning) and part.opaque:
            found.update(_given_back(part.opaque, with_calls=bool(calls)))
    if calls:
        found["tool_calls"] = [_call(call) for call in calls]
    elif found["content"] is None:
        found["content"] = ""
    return found


def _given_back(opaque: str, *, with_calls: bool) -> Body:
    """Return the provider's own fields. Plain reasoning is wanted beside calls, and refused elsewhere."""
    wanted = ("reasoning_details", *_REASONING) if with_calls else ("reasoning_details",)
    return {key: value for key, value in _object(opaque).items() if key in wanted}


def _call(call: ToolCall) -> Body:
    function = {"name": call.name, "arguments": call.arguments}
    extras = _object(call.opaque) if call.opaque else {}
    given_back = {key: value for key, value in extras.items() if key in _CALL_EXTRAS}
    return {"id": call.id, "type": "function", "function": function, **given_back}


def _object(text: str) -> Body:
    value = json.loads(text)
    return value if isinstance(value, dict) else {}


class ChunkReader:
    """Reads the chunks of one answer; whatever is not as documented is passed over or taken as far as it goes."""

    def __init__(self) -> None:
        self._reasoning: dict[str, list[str]] = {}
        self._details: list[dict[str, Any]] = []
        self._finish: Finish | None = None

    def read(self, chunk: Mapping[str, Any]) -> Iterator[Piece]:
        usage = chunk.get("usage")
        if isinstance(usage, Mapping):
            yield Spent(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            return
        delta = choices[0].get("delta")
        if isinstance(delta, Mapping):
            yield from self._delta(delta)
        finish = choices[0].get("finish_reason")
        if isinstance(finish, str) and finish:
            self._finish = _FINISH.get(finish, Finish.STOP)

    def end(self) -> Iterator[Piece]:
        """Yield what is only known once the answer is complete."""
        opaque: Body = {key: "".join(texts) for key, texts in self._reasoning.items()}
        if self._details:
            opaque = {"reasoning_details": _merged(self._details)}
        if opaque:
            yield ReasoningSeal(strict_json.encode(opaque))
        if self._finish is not None:
            yield Stopped(self._finish)

    def _delta(self, delta: Mapping[str, Any]) -> Iterator[Piece]:
        yield from self._reasoning_of(delta)
        for key in ("content", "refusal"):
            text = delta.get(key)
            if isinstance(text, str) and text:
                if key == "refusal":
                    self._finish = Finish.REFUSAL
                yield TextPiece(text)
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, Mapping):
                yield _call_piece(call)

    def _reasoning_of(self, delta: Mapping[str, Any]) -> Iterator[Piece]:
        details = delta.get("reasoning_details")
        if isinstance(details, list):
            self._details.extend(dict(item) for item in details if isinstance(item, Mapping))
        for key in _REASONING:
            text = delta.get(key)
            if isinstance(text, str) and text:
                self._reasoning.setdefault(key, []).append(text)
                yield ReasoningPiece(text)
                return


def _call_piece(call: Mapping[str, Any]) -> CallPiece:
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    arguments = function.get("arguments")
    if isinstance(arguments, Mapping):  # some servers send the object itself
        arguments = json.dumps(arguments, ensure_ascii=False)
    index = call.get("index")
    extras = {key: call[key] for key in _CALL_EXTRAS if call.get(key)}
    return CallPiece(
        index=index if isinstance(index, int) and not isinstance(index, bool) else None,
        id=_string(call.get("id")),
        name=_string(function.get("name")),
        arguments=_string(arguments),
        opaque=json.dumps(extras, ensure_ascii=False) if extras else "",
    )


def _merged(details: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join the fragments of each block of reasoning to the block as it would have come unstreamed."""
    merged: list[dict[str, Any]] = []
    for detail in details:
        last = merged[-1] if merged else None
        if last is not None and (last.get("type"), last.get("index")) == (detail.get("type"), detail.get("index")):
            for key, value in detail.items():
                joins = key in ("text", "summary", "data") and isinstance(value, str) and isinstance(last.get(key), str)
                last[key] = last[key] + value if joins else value if value is not None else last.get(key)
        else:
            merged.append(detail)
    return merged


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**40 else 0
