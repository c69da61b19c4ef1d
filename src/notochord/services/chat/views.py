"""Turns what lies in the tables into what the door shows."""

from collections.abc import Iterable, Mapping

from notochord.services.chat.api import Call, Chat, ChatState, Entry, Summary
from notochord.services.chat.records import CallState, ChatRecord, EntryRecord, EntryState, SummaryRecord
from notochord.services.chat.window import result_of
from notochord.services.models.api import Message, Role

RESULTS = ".results"
"""Ends the id of the entry that shows the results of a reply's calls."""

_WORST_FIRST = (
    (CallState.INTERRUPTED, EntryState.INTERRUPTED),
    (CallState.CANCELLED, EntryState.CANCELLED),
)


def chat_of(record: ChatRecord, *, answering: bool, waiting: bool) -> Chat:
    state = ChatState.FAILED if record.failed else ChatState.IDLE
    if answering:
        state = ChatState.WAITING if waiting else ChatState.ANSWERING
    return Chat(
        id=record.id,
        title=record.title,
        pinned=record.pinned,
        folder=record.folder,
        own_folder=record.own_folder,
        model=str(record.model),
        plan_mode=record.plan_mode,
        state=state,
        changed_at=record.changed_at,
        parent=record.parent,
        role=record.role,
    )


def entries_of(records: Iterable[EntryRecord], siblings: Mapping[str, tuple[str, ...]]) -> tuple[Entry, ...]:
    shown: list[Entry] = []
    for record in records:
        shown.append(entry_of(record, siblings.get(record.parent, (record.id,))))
        if record.calls:
            shown.append(_results(record))
    return tuple(shown)


def summary_of(record: SummaryRecord) -> Summary:
    return Summary(record.upto, record.text, record.at)


def entry_of(record: EntryRecord, siblings: tuple[str, ...]) -> Entry:
    return Entry(
        id=record.id,
        parent=record.parent,
        message=Message(record.role, record.parts),
        at=record.at,
        state=record.state,
        siblings=siblings,
        model=str(record.model) if record.model else "",
        usage=(record.input_tokens, record.output_tokens),
        attachments=record.attachments,
        error=record.error,
    )


def _results(record: EntryRecord) -> Entry:
    states = {call.state for call in record.calls}
    state = next((shown for found, shown in _WORST_FIRST if found in states), EntryState.DONE)
    return Entry(
        id=f"{record.id}{RESULTS}",
        parent=record.id,
        message=Message(Role.TOOL, tuple(result_of(call) for call in record.calls)),
        at=record.at,
        state=state,
        siblings=(f"{record.id}{RESULTS}",),
        calls=tuple(
            Call(call.call, call.name, call.state, call.code, call.milliseconds, call.reason) for call in record.calls
        ),
    )
