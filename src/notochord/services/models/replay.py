"""Puts a conversation into the shape that every provider accepts, whatever happened while it was made."""

import re
from collections.abc import Iterable, Iterator

from notochord.services.models.api import Message, Part, Reasoning, Role, Text, ToolCall, ToolResult

CANCELLED = "Cancelled: this call was stopped before it had a result."
EMPTY_RESULT = "(no output)"
GO_ON = "Continue."
_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")


def replayable(messages: Iterable[Message], provider: str) -> tuple[Message, ...]:
    """Return the messages in a form that can be sent to `provider`.

    Empty texts go, calls stand last in their message, each call has exactly one result right behind it (a cancelled
    one if it had none), results without a call go, neighbours of one role become one message, and the user has the
    first and the last word. Reasoning is kept only if this provider gave it and needs it back.
    """
    kept = [Message(message.role, tuple(_kept(message, provider))) for message in messages]
    answered = list(_answered([message for message in kept if message.parts]))
    joined = _joined(answered)
    if joined and joined[0].role is not Role.USER:
        joined.insert(0, Message(Role.USER, (Text(GO_ON),)))
    if joined and joined[-1].role is Role.ASSISTANT:
        joined.append(Message(Role.USER, (Text(GO_ON),)))
    return tuple(joined)


def _kept(message: Message, provider: str) -> Iterator[Part]:
    calls: list[ToolCall] = []
    for part in message.parts:
        match part:
            case Text(text):
                if text.strip():
                    yield part
            case Reasoning():
                if part.opaque and part.provider == provider and message.role is Role.ASSISTANT:
                    yield part
            case ToolCall():
                if message.role is Role.ASSISTANT:
                    calls.append(part if part.provider == provider else ToolCall(part.id, part.name, part.arguments))
            case ToolResult():
                if message.role is Role.TOOL:
                    yield part
    yield from calls


def _answered(messages: list[Message]) -> Iterator[Message]:
    """Yield the messages with the results of each call gathered behind it, under ids that occur once."""
    used: set[str] = set()
    for place, message in enumerate(messages):
        if message.role is Role.TOOL:
            continue
        calls = [part for part in message.parts if isinstance(part, ToolCall)]
        results = _results_until_next_calls(messages[place + 1 :]) if calls else {}
        ids = [_unique(call.id, used) for call in calls]
        renamed: list[Part] = [part for part in message.parts if not isinstance(part, ToolCall)]
        renamed += [
            ToolCall(new, call.name, call.arguments, call.provider, call.opaque)
            for call, new in zip(calls, ids, strict=True)
        ]
        yield Message(message.role, tuple(renamed))
        if calls:
            yield Message(Role.TOOL, tuple(_result(results, call, new) for call, new in zip(calls, ids, strict=True)))


def _results_until_next_calls(later: list[Message]) -> dict[str, list[ToolResult]]:
    found: dict[str, list[ToolResult]] = {}
    for message in later:
        if any(isinstance(part, ToolCall) for part in message.parts):
            break
        for part in message.parts:
            if isinstance(part, ToolResult):
                found.setdefault(part.call, []).append(part)
    return found


def _result(results: dict[str, list[ToolResult]], call: ToolCall, new: str) -> ToolResult:
    mine = results.get(call.id)
    if not mine:
        return ToolResult(new, CANCELLED, failed=True)
    result = mine.pop(0) if len(mine) > 1 else mine[0]
    return ToolResult(new, result.text if result.text.strip() else EMPTY_RESULT, result.failed)


def _unique(wanted: str, used: set[str]) -> str:
    identifier = wanted if _ID.fullmatch(wanted) else re.sub(r"[^a-zA-Z0-9_-]", "_", wanted)[:32] or "call"
    number = 1
    unique = identifier
    while unique in used:
        number += 1
        unique = f"{identifier[:34]}_{number}"
    used.add(unique)
    return unique


def _joined(messages: list[Message]) -> list[Message]:
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role is message.role and message.role is not Role.TOOL:
            joined[-1] = Message(message.role, (*joined[-1].parts, *message.parts))
        else:
            joined.append(message)
    return joined
