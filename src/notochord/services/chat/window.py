"""What the model reads of a conversation: the summary, then what follows it, in a form every provider accepts."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from notochord.core.codes import Code
from notochord.services.chat.records import CallRecord, CallState, EntryRecord, SummaryRecord
from notochord.services.models.api import Message, Part, Role, Text, ToolCall, ToolResult

RECENT = 10
"""So many messages of the user and the assistant are never summed up (MODEL-070, OPEN-074)."""

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")

_SUMMARY = "[Summary of the conversation so far; the messages themselves are no longer shown.]\n"

INTERRUPTED = {
    CallState.RECORDED: f"{Code.CANCELLED}: the program ended before this call was run.",
    CallState.RUNNING: f"{Code.CANCELLED}: the program ended while this call was under way. "
    "Check what it did before you repeat it.",
}


class Window:
    """The summary and the entries after it; grows as the answer goes on."""

    def __init__(self, summary: SummaryRecord | None, entries: Iterable[EntryRecord]) -> None:
        self.summary = summary
        self.entries = list(entries)
        self._shown: dict[str, tuple[EntryRecord, list[Message]]] = {}

    def append(self, entry: EntryRecord) -> None:
        self.entries.append(entry)

    def end_call(self, call: CallRecord) -> None:
        """Put a call's end in its place in the last entry."""
        last = self.entries[-1]
        calls = tuple(call if known.call == call.call else known for known in last.calls)
        self.entries[-1] = replace(last, calls=calls)

    def older(self) -> list[EntryRecord]:
        """Return what may be summed up: all but the most recent messages."""
        return self.entries[:-RECENT]

    def summed_up(self, summary: SummaryRecord) -> None:
        """Leave out what `summary` says."""
        self.summary = summary
        self.entries = [entry for entry in self.entries if entry.depth > summary.depth]
        self._shown.clear()

    def messages(self) -> tuple[Message, ...]:
        """Return the messages: each call has its result, none is empty, and two of the user's never follow directly."""
        found = [Message(Role.USER, (Text(_SUMMARY + self.summary.text),))] if self.summary else []
        for entry in self.entries:
            found += self._messages_of(entry)
        return tuple(_joined(found))

    def _messages_of(self, entry: EntryRecord) -> list[Message]:
        """Return the messages of an entry, made once: an answer asks for all of them at each of its steps."""
        known = self._shown.get(entry.id)
        if known is None or known[0] is not entry:
            known = self._shown[entry.id] = (entry, _messages(entry))
        return known[1]

    def size(self) -> int:
        """Return the size in tokens: as last reported by the provider, and estimated for what came since (OPEN-073)."""
        since = self.summary.id if self.summary else ""
        for index in range(len(self.entries) - 1, -1, -1):
            entry = self.entries[index]
            if entry.input_tokens and entry.id > since:
                reported = entry.input_tokens + entry.output_tokens
                return reported + _results_size(entry) + sum(map(_entry_size, self.entries[index + 1 :]))
        summary = estimated_tokens(self.summary.text) if self.summary else 0
        return summary + sum(map(_entry_size, self.entries))


def result_of(call: CallRecord) -> ToolResult:
    """Return what the model is told of a call; one without an end gets a result that says so (faults B10, B11)."""
    text = INTERRUPTED.get(call.state, call.text)
    return ToolResult(call.call, text, call.state is not CallState.DONE)


def estimated_tokens(text: str) -> int:
    """Estimate the tokens of a text: four characters each, one for a Chinese, Japanese or Korean one (OPEN-073)."""
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    return wide + (len(text) - wide + 3) // 4


def _messages(entry: EntryRecord) -> list[Message]:
    if entry.role is Role.USER:
        texts = [part.text for part in entry.parts if isinstance(part, Text) and part.text.strip()]
        shown = "\n\n".join([entry.background, *texts] if entry.background else texts)
        return [Message(Role.USER, (Text(shown),))] if shown else []
    if not any(isinstance(part, Text | ToolCall) for part in entry.parts):
        return []
    reply = Message(Role.ASSISTANT, entry.parts)
    results = tuple(result_of(call) for call in entry.calls)
    return [reply, Message(Role.TOOL, results)] if results else [reply]


def _joined(messages: Sequence[Message]) -> list[Message]:
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role is message.role is Role.USER:
            text = "\n\n".join(part.text for part in (*joined[-1].parts, *message.parts) if isinstance(part, Text))
            joined[-1] = Message(Role.USER, (Text(text),))
        else:
            joined.append(message)
    return joined


def _entry_size(entry: EntryRecord) -> int:
    return estimated_tokens(entry.background) + sum(map(_part_size, entry.parts)) + _results_size(entry)


def _results_size(entry: EntryRecord) -> int:
    return sum(estimated_tokens(call.text) for call in entry.calls)


def _part_size(part: Part) -> int:
    if isinstance(part, ToolCall):
        return estimated_tokens(part.name) + estimated_tokens(part.arguments)
    return estimated_tokens(part.text)
