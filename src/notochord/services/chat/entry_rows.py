"""Reads and writes entries, their calls and summaries, by stretches of a branch."""

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.statements import Prepared, Value
from notochord.services.chat.branches import END, Stretch, stretches
from notochord.services.chat.codec import decode_parts, encode_parts
from notochord.services.chat.records import (
    CallRecord,
    CallState,
    EntryRecord,
    EntryState,
    SummaryRecord,
)
from notochord.services.chat.tables import ATTACHMENTS, CALLS, ENTRIES, SUMMARIES
from notochord.services.chat.window import INTERRUPTED
from notochord.services.models.api import ModelRef, Role

_ADD_ENTRY = Prepared(insert(ENTRIES))
_ADD_CALL = Prepared(insert(CALLS))
_ADD_ATTACHMENT = Prepared(insert(ATTACHMENTS))
_CHANGE_ENTRY = Prepared(update(ENTRIES).where(ENTRIES.c.id == bindparam("of_entry")))
_CHANGE_CALL = Prepared(
    update(CALLS).where(CALLS.c.entry == bindparam("of_entry"), CALLS.c.call == bindparam("of_call"))
)


def add(connection: Connection, chat: str, entry: EntryRecord) -> None:
    row: dict[str, Value] = {
        "id": entry.id,
        "chat": chat,
        "branch": entry.branch,
        "depth": entry.depth,
        "parent": entry.parent,
        "turn": entry.turn,
        "role": entry.role,
        "parts": encode_parts(entry.parts),
        "background": entry.background,
        "at": entry.at,
        "state": entry.state,
        "error": entry.error,
        "provider": entry.model.provider if entry.model else "",
        "model": entry.model.model if entry.model else "",
        "input_tokens": entry.input_tokens,
        "output_tokens": entry.output_tokens,
    }
    _ADD_ENTRY.run(connection, row)
    _ADD_CALL.run_each(connection, [_call_row(entry.id, position, call) for position, call in enumerate(entry.calls)])
    names: list[dict[str, Value]] = [
        {"entry": entry.id, "position": position, "name": name} for position, name in enumerate(entry.attachments)
    ]
    _ADD_ATTACHMENT.run_each(connection, names)


def change(connection: Connection, entry: str, **values: str | int) -> None:
    _CHANGE_ENTRY.run(connection, {"of_entry": entry, **values})


def change_call(connection: Connection, entry: str, call: str, **values: str | int) -> None:
    _CHANGE_CALL.run(connection, {"of_entry": entry, "of_call": call, **values})


def interrupt_calls(connection: Connection, chat: str) -> None:
    """Give every call of the conversation that has no end one that says how far it had come."""
    of_chat = select(ENTRIES.c.id).where(ENTRIES.c.chat == chat)
    for state, text in INTERRUPTED.items():
        connection.execute(
            update(CALLS)
            .where(CALLS.c.entry.in_(of_chat), CALLS.c.state == state)
            .values(state=CallState.INTERRUPTED, text=text, code=Code.CANCELLED)
        )


def chats_running(connection: Connection, calls: Collection[str]) -> frozenset[str]:
    """Return the conversations in which one of these calls runs now."""
    of_calls = (CALLS.c.entry == ENTRIES.c.id, CALLS.c.call.in_(calls), CALLS.c.state == CallState.RUNNING)
    return frozenset(connection.execute(select(ENTRIES.c.chat).where(*of_calls).distinct()).scalars())


def get(connection: Connection, chat: str, entry: str) -> EntryRecord:
    """Return one entry without its calls. Raises NOT_FOUND."""
    row = connection.execute(select(ENTRIES).where(ENTRIES.c.id == entry, ENTRIES.c.chat == chat)).one_or_none()
    if row is None:
        raise NotochordError(
            Code.NOT_FOUND,
            Fault.USER,
            f"no message {entry} in this conversation",
            subject=entry,
            why="why.message_gone",
        )
    return _entry(row, (), attachments(connection, entry))


def attachments(connection: Connection, entry: str) -> tuple[str, ...]:
    wanted = select(ATTACHMENTS.c.name).where(ATTACHMENTS.c.entry == entry).order_by(ATTACHMENTS.c.position)
    return tuple(connection.execute(wanted).scalars())


def whole(connection: Connection, branch: str) -> tuple[EntryRecord, ...]:
    """Return the way to the leaf of `branch`, oldest first."""
    pieces = [_read(connection, stretch) for stretch in stretches(connection, branch)]
    return tuple(entry for piece in reversed(pieces) for entry in piece)


def latest(connection: Connection, branch: str, most: int, before: int = END) -> tuple[EntryRecord, ...]:
    """Return the last `most` entries on the way to the leaf of `branch` that lie above depth `before`."""
    pieces: list[tuple[EntryRecord, ...]] = []
    for stretch in stretches(connection, branch):
        high = min(stretch.high, before - 1, _deepest(connection, stretch.branch))
        low = max(stretch.low, high - most + 1)
        if low > high:
            continue
        pieces.append(_read(connection, Stretch(stretch.branch, low, high)))
        most -= high - low + 1
        if most == 0:
            break
    return tuple(entry for piece in reversed(pieces) for entry in piece)


def everything(connection: Connection, chat: str) -> tuple[EntryRecord, ...]:
    """Return the entries of every branch; a parent comes before what follows it."""
    branches = connection.execute(select(ENTRIES.c.branch).where(ENTRIES.c.chat == chat).distinct()).scalars().all()
    found = [entry for branch in branches for entry in _read(connection, Stretch(branch, 0, END))]
    return tuple(sorted(found, key=lambda entry: (entry.depth, entry.id)))


def spent(connection: Connection, chats: Iterable[str]) -> tuple[int, int]:
    """Return the tokens in and out of all entries of these conversations."""
    sums = func.coalesce(func.sum(ENTRIES.c.input_tokens), 0), func.coalesce(func.sum(ENTRIES.c.output_tokens), 0)
    row = connection.execute(select(*sums).where(ENTRIES.c.chat.in_(list(chats)))).one()
    return int(row[0]), int(row[1])


def after_summary(connection: Connection, branch: str) -> tuple[SummaryRecord | None, tuple[EntryRecord, ...]]:
    """Return the last summary on the way and what follows it; nothing before it is read."""
    pieces: list[tuple[EntryRecord, ...]] = []
    summary = None
    for stretch in stretches(connection, branch):
        summary = _last_summary(connection, stretch)
        low = summary.depth + 1 if summary else stretch.low
        pieces.append(_read(connection, Stretch(stretch.branch, low, stretch.high)))
        if summary:
            break
    return summary, tuple(entry for piece in reversed(pieces) for entry in piece)


def siblings(connection: Connection, chat: str) -> dict[str, tuple[str, ...]]:
    """Return, by parent entry, the entries that are alternatives of each other."""
    forks = select(ENTRIES.c.parent).where(ENTRIES.c.chat == chat).group_by(ENTRIES.c.parent).having(func.count() > 1)
    wanted = select(ENTRIES.c.parent, ENTRIES.c.id).where(ENTRIES.c.chat == chat, ENTRIES.c.parent.in_(forks))
    found: dict[str, tuple[str, ...]] = {}
    for row in connection.execute(wanted.order_by(ENTRIES.c.id)):
        found[row.parent] = (*found.get(row.parent, ()), row.id)
    return found


def siblings_of(connection: Connection, chat: str, parents: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return, by parent entry, its children in the order of their making; for the parents of one page."""
    wanted = select(ENTRIES.c.parent, ENTRIES.c.id).where(ENTRIES.c.chat == chat, ENTRIES.c.parent.in_(list(parents)))
    found: dict[str, tuple[str, ...]] = {}
    for row in connection.execute(wanted.order_by(ENTRIES.c.id)):
        found[row.parent] = (*found.get(row.parent, ()), row.id)
    return found


def children(connection: Connection, chat: str, parent: str) -> tuple[str, ...]:
    """Return the entries that follow `parent` on one branch or another."""
    wanted = select(ENTRIES.c.id).where(ENTRIES.c.chat == chat, ENTRIES.c.parent == parent).order_by(ENTRIES.c.id)
    return tuple(connection.execute(wanted).scalars())


def add_summary(connection: Connection, chat: str, summary: SummaryRecord) -> None:
    connection.execute(
        insert(SUMMARIES).values(
            id=summary.id,
            chat=chat,
            branch=summary.branch,
            depth=summary.depth,
            upto=summary.upto,
            text=summary.text,
            at=summary.at,
        )
    )


def summaries(connection: Connection, branch: str) -> tuple[SummaryRecord, ...]:
    """Return the summaries on the way to the leaf of `branch`, oldest first."""
    found = [
        _summary(row)
        for stretch in stretches(connection, branch)
        for row in connection.execute(_summaries_of(stretch).order_by(SUMMARIES.c.depth.desc()))
    ]
    return tuple(reversed(found))


def all_summaries(connection: Connection, chat: str) -> tuple[SummaryRecord, ...]:
    """Return the summaries of every branch, oldest first."""
    rows = connection.execute(select(SUMMARIES).where(SUMMARIES.c.chat == chat).order_by(SUMMARIES.c.id))
    return tuple(map(_summary, rows))


def _deepest(connection: Connection, branch: str) -> int:
    wanted = select(func.max(ENTRIES.c.depth)).where(ENTRIES.c.branch == branch)
    found = connection.execute(wanted).scalar_one()
    return -1 if found is None else int(found)


def _summaries_of(stretch: Stretch) -> Any:
    return select(SUMMARIES).where(
        SUMMARIES.c.branch == stretch.branch, SUMMARIES.c.depth.between(stretch.low, stretch.high)
    )


def _last_summary(connection: Connection, stretch: Stretch) -> SummaryRecord | None:
    wanted = _summaries_of(stretch).order_by(SUMMARIES.c.depth.desc(), SUMMARIES.c.id.desc()).limit(1)
    row = connection.execute(wanted).one_or_none()
    return None if row is None else _summary(row)


def _read(connection: Connection, stretch: Stretch) -> tuple[EntryRecord, ...]:
    within = (ENTRIES.c.branch == stretch.branch, ENTRIES.c.depth.between(stretch.low, stretch.high))
    rows = connection.execute(select(ENTRIES).where(*within).order_by(ENTRIES.c.depth)).all()
    calls: dict[str, list[CallRecord]] = {}
    joined = select(CALLS).join(ENTRIES, ENTRIES.c.id == CALLS.c.entry).where(*within)
    for row in connection.execute(joined.order_by(CALLS.c.entry, CALLS.c.position)):
        calls.setdefault(row.entry, []).append(_call(row))
    names: dict[str, list[str]] = {}
    attached = select(ATTACHMENTS).join(ENTRIES, ENTRIES.c.id == ATTACHMENTS.c.entry).where(*within)
    for row in connection.execute(attached.order_by(ATTACHMENTS.c.entry, ATTACHMENTS.c.position)):
        names.setdefault(row.entry, []).append(row.name)
    return tuple(_entry(row, calls.get(row.id, ()), names.get(row.id, ())) for row in rows)


def _entry(row: Row[Any], calls: Iterable[CallRecord], names: Iterable[str]) -> EntryRecord:
    return EntryRecord(
        id=row.id,
        branch=row.branch,
        depth=row.depth,
        parent=row.parent,
        turn=row.turn,
        role=Role(row.role),
        parts=decode_parts(row.parts),
        background=row.background,
        at=row.at,
        state=EntryState(row.state),
        error=row.error,
        model=ModelRef(row.provider, row.model) if row.provider else None,
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
        calls=tuple(calls),
        attachments=tuple(names),
    )


def _call_row(entry: str, position: int, call: CallRecord) -> dict[str, str | int]:
    return {
        "entry": entry,
        "position": position,
        "call": call.call,
        "name": call.name,
        "state": call.state,
        "text": call.text,
        "code": call.code,
        "milliseconds": call.milliseconds,
        "reason": call.reason,
    }


def _call(row: Row[Any]) -> CallRecord:
    return CallRecord(row.call, row.name, CallState(row.state), row.text, row.code, row.milliseconds, row.reason)


def _summary(row: Row[Any]) -> SummaryRecord:
    return SummaryRecord(row.id, row.branch, row.depth, row.upto, row.text, row.at)
