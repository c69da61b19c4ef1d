"""Makes the record whole after the program ended in the middle of an answer (faults B10, B11)."""

from sqlalchemy import Connection, select

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.ids import IdMaker
from notochord.services.chat import arriving, chat_rows, entry_rows
from notochord.services.chat.branches import find_leaf
from notochord.services.chat.records import ChatRecord, EntryRecord, EntryState
from notochord.services.chat.tables import REVERTS
from notochord.services.models.api import Role


def mark_all(connection: Connection, clock: Clock, ids: IdMaker) -> tuple[str, ...]:
    """Mark every answer that was under way, and the calls in it; return the conversations concerned."""
    found = chat_rows.unfinished(connection)
    for record in found:
        mark_interrupted(connection, record, clock, ids)
    return tuple(record.id for record in found)


def mark_interrupted(connection: Connection, record: ChatRecord, clock: Clock, ids: IdMaker) -> None:
    """Mark the answer under way in one conversation, if there is one."""
    if not record.answering:
        return
    entry_rows.interrupt_calls(connection, record.id)
    _mark_answer(connection, record, clock, ids)
    chat_rows.change(connection, record.id, answering="", failed=0)


def still_to_take_back(connection: Connection) -> tuple[str, ...]:
    """Return the conversations in which a left branch's changes have not all gone back yet."""
    return tuple(connection.execute(select(REVERTS.c.chat).distinct()).scalars())


def _mark_answer(connection: Connection, record: ChatRecord, clock: Clock, ids: IdMaker) -> None:
    """Record what had come of the reply, with or without a word; only a step between two replies needs none."""
    leaf = find_leaf(connection, record.branch)
    last = entry_rows.get(connection, record.id, leaf.entry)
    parts = arriving.parts_kept(connection, record.id)
    arriving.forget(connection, record.id)
    if last.role is Role.ASSISTANT and not parts:
        entry_rows.change(connection, last.id, state=EntryState.INTERRUPTED, error=Code.CANCELLED)
        return
    reply = EntryRecord(
        id=ids.new(),
        branch=record.branch,
        depth=leaf.depth + 1,
        parent=leaf.entry,
        turn=record.answering,
        role=Role.ASSISTANT,
        parts=parts,
        background="",
        at=clock.milliseconds(),
        state=EntryState.INTERRUPTED,
        error=Code.CANCELLED,
        model=record.model,
    )
    entry_rows.add(connection, record.id, reply)
