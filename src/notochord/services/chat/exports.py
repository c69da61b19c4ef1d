"""Writes a whole conversation out: Markdown to be read, JSON from which nothing is missing."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from sqlalchemy import Connection

from notochord.core.flat_text import flattened
from notochord.core.strict_json import Json, encode
from notochord.services.chat import chat_rows, entry_rows
from notochord.services.chat.api import ExportWords
from notochord.services.chat.branches import find_leaf
from notochord.services.chat.codec import encoded_part
from notochord.services.chat.records import CallRecord, ChatRecord, EntryRecord, EntryState, SummaryRecord
from notochord.services.models.api import Part, Reasoning, Role, Text, ToolCall

FORMAT = "notochord.chat"
VERSION = 1

_FENCE = "`"


def json(connection: Connection, chat: str) -> bytes:
    """Return the record as JSON: every branch, the active leaf, summaries, and the sub-agents in the same form.

    An entry names its `parent`, "" for the first; the active branch is the way from `active` up (fault N5).
    """
    return encode({"format": FORMAT, "version": VERSION, **_conversation(connection, chat)}).encode()


def markdown(connection: Connection, chat: str, words: ExportWords) -> bytes:
    """Return the active branch as Markdown; results and arguments of calls stand in fences that they cannot close."""
    record = chat_rows.get(connection, chat)
    pieces = [f"# {flattened(record.title) or words.untitled}"]
    for entry in entry_rows.whole(connection, record.branch):
        pieces += _told(entry, words)
    return ("\n\n".join(pieces) + "\n").encode()


def _conversation(connection: Connection, chat: str) -> dict[str, Json]:
    record = chat_rows.get(connection, chat)
    tools = chat_rows.tool_set(connection, chat)
    opened: list[Json] = list(sorted(tools.opened))
    switched_off: list[Json] = list(sorted(tools.switched_off))
    return {
        "chat": _chat(record),
        "opened": opened,
        "switched_off": switched_off,
        "active": find_leaf(connection, record.branch).entry,
        "entries": [_entry(entry) for entry in entry_rows.everything(connection, chat)],
        "summaries": [_summary(summary) for summary in entry_rows.all_summaries(connection, chat)],
        "sub_agents": [_conversation(connection, found.id) for found in chat_rows.of_parent(connection, chat)],
    }


def _chat(record: ChatRecord) -> Json:
    return {
        "id": record.id,
        "title": record.title,
        "pinned": record.pinned,
        "model": str(record.model),
        "role": record.role,
        "plan_mode": record.plan_mode,
        "changed_at": record.changed_at,
    }


def _entry(entry: EntryRecord) -> Json:
    attachments: list[Json] = list(entry.attachments)
    return {
        "id": entry.id,
        "parent": entry.parent,
        "turn": entry.turn,
        "role": entry.role,
        "parts": [encoded_part(part) for part in entry.parts],
        "background": entry.background,
        "at": entry.at,
        "state": entry.state,
        "error": entry.error,
        "model": str(entry.model) if entry.model else "",
        "tokens": {"in": entry.input_tokens, "out": entry.output_tokens},
        "calls": [_call(call) for call in entry.calls],
        "attachments": attachments,
    }


def _call(call: CallRecord) -> Json:
    return {
        "call": call.call,
        "name": call.name,
        "state": call.state,
        "code": call.code,
        "text": call.text,
        "milliseconds": call.milliseconds,
    }


def _summary(summary: SummaryRecord) -> Json:
    return {"upto": summary.upto, "text": summary.text, "at": summary.at}


def _told(entry: EntryRecord, words: ExportWords) -> Iterator[str]:
    who = words.user if entry.role is Role.USER else words.assistant
    about = [datetime.fromtimestamp(entry.at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")]
    about += [f"`{entry.model}`"] if entry.model else []
    about += [words.states.get(entry.state, entry.state.value)] if entry.state is not EntryState.DONE else []
    yield f"## {who}\n\n*{', '.join(about)}*"
    for part in entry.parts:
        yield from _part(part, entry.calls)
    if entry.attachments:
        yield "\n".join(f"- 📎 `{flattened(name)}`" for name in entry.attachments)
    if entry.error:
        yield f"**{entry.error}**"


def _part(part: Part, calls: Iterable[CallRecord]) -> Iterator[str]:
    match part:
        case Text(text):
            yield text.strip("\n")
        case Reasoning(text) if text:
            yield "\n".join(f"> {line}" for line in text.splitlines())
        case ToolCall(id, name, arguments):
            yield f"**{flattened(name)}**\n\n{_fenced(arguments, 'json')}"
            yield from (_fenced(call.text) for call in calls if call.call == id and call.text)
        case _:
            return


def _fenced(text: str, language: str = "") -> str:
    """Put `text` between fences longer than any in it."""
    longest, run = 2, 0
    for letter in text:
        run = run + 1 if letter == _FENCE else 0
        longest = max(longest, run)
    fence = _FENCE * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
