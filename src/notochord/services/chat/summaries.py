"""Sums up the older part of a conversation that has become too long (MODEL-064 to MODEL-078, OPEN-073 to OPEN-076)."""

import logging
from collections.abc import Iterable

from notochord.core.errors import NotochordError
from notochord.services.chat import prompts
from notochord.services.chat.api import SUMMARIZE_ABOVE
from notochord.services.chat.background import Background
from notochord.services.chat.records import CallRecord, EntryRecord
from notochord.services.chat.window import Window
from notochord.services.models.api import Role, Text
from notochord.services.settings.api import Settings

FEATURE = "summary"
MOST_TOKENS = 4_000
HEAD = 2_000
TAIL = 1_000
MOST_ARGUMENTS = 500
MOST_RESULT = 1_000
NEW_MESSAGES = 10
"""So many messages must have left the recent ones before a conversation is summed up once more (OPEN-075)."""

_log = logging.getLogger(__name__)


class Summarizer:
    """Writes summaries with the model of the background tasks."""

    def __init__(self, *, background: Background, settings: Settings) -> None:
        self._background = background
        self._settings = settings

    def is_due(self, window: Window) -> bool:
        """Tell whether the older part has to be summed up before the next reply."""
        limit = self._settings.current(SUMMARIZE_ABOVE)
        older = len(window.older())
        return 0 < limit < window.size() and older >= (NEW_MESSAGES if window.summary else 1)

    async def write(self, window: Window, conversation: str) -> str:
        """Return the summary of the older part, on the basis of the previous one; empty if none can be had."""
        previous = window.summary.text if window.summary else ""
        text = material(previous, window.older())
        try:
            return await self._background.ask(FEATURE, prompts.SUMMARY, text, conversation, most_tokens=MOST_TOKENS)
        except NotochordError as failure:
            _log.warning("a conversation could not be summed up: %s", failure.code)
            return ""


def material(previous: str, entries: Iterable[EntryRecord]) -> str:
    """Return what the summary is written from; overlong texts are shortened (MODEL-068, MODEL-069)."""
    pieces = [f"Summary of what came before:\n{previous}"] if previous else []
    for entry in entries:
        pieces += _pieces(entry)
    return "\n\n".join(pieces)


def _pieces(entry: EntryRecord) -> list[str]:
    who = "User" if entry.role is Role.USER else "Assistant"
    text = "\n".join(part.text for part in entry.parts if isinstance(part, Text) and part.text.strip())
    pieces = [f"{who}: {_head_and_tail(text)}"] if text else []
    if entry.attachments:
        pieces.append(f"{who} attached: {', '.join(entry.attachments)}")
    arguments = {call.id: call.arguments for call in entry.tool_calls()}
    return pieces + [_call_line(call, arguments.get(call.call, "")) for call in entry.calls]


def _call_line(call: CallRecord, arguments: str) -> str:
    return f"Tool {call.name}({_cut(arguments, MOST_ARGUMENTS)}), {call.state}: {_cut(call.text, MOST_RESULT)}"


def _head_and_tail(text: str) -> str:
    return text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n[…]\n{text[-TAIL:]}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
