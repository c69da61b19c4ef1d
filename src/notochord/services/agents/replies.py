"""Brings a model's reply into the one form that every provider accepts when it is sent back (faults B10 and B13)."""

from collections.abc import Iterable
from dataclasses import replace

from notochord.services.models.api import Message, Part, Reply, Role, Text, ToolCall


def tidy(reply: Reply) -> Reply:
    """Drop blank texts, put calls last, and give every call an id of its own; order is kept otherwise."""
    parts = reply.message.parts
    spoken = [part for part in parts if not isinstance(part, ToolCall) and not _is_blank(part)]
    calls = _with_own_ids(part for part in parts if isinstance(part, ToolCall))
    return replace(reply, message=Message(Role.ASSISTANT, (*spoken, *calls)))


def calls_of(reply: Reply) -> tuple[ToolCall, ...]:
    return tuple(part for part in reply.message.parts if isinstance(part, ToolCall))


def _is_blank(part: Part) -> bool:
    return isinstance(part, Text) and not part.text.strip()


def _with_own_ids(calls: Iterable[ToolCall]) -> list[ToolCall]:
    taken: set[str] = set()
    found = []
    for number, call in enumerate(calls, start=1):
        wanted = call.id or f"call_{number}"
        name, suffix = wanted, 2
        while name in taken:
            name, suffix = f"{wanted}_{suffix}", suffix + 1
        taken.add(name)
        found.append(replace(call, id=name))
    return found
