"""Reads and writes the rows of conversations themselves."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.statements import Prepared
from notochord.services.chat.records import ChatRecord, TitleState
from notochord.services.chat.tables import CHATS, DRAFTS, OPENED, SWITCHED_OFF
from notochord.services.models.api import ModelRef

_CHANGE = Prepared(update(CHATS).where(CHATS.c.id == bindparam("of_chat")))


@dataclass(frozen=True, slots=True)
class ToolSet:
    """What a conversation opened and what the user switched off in it."""

    opened: frozenset[str]
    switched_off: frozenset[str]


def find(connection: Connection, chat: str) -> ChatRecord | None:
    row = connection.execute(select(CHATS).where(CHATS.c.id == chat, CHATS.c.deleted == 0)).one_or_none()
    return None if row is None else _record(row)


def get(connection: Connection, chat: str) -> ChatRecord:
    """Raises CHAT_UNKNOWN."""
    found = find(connection, chat)
    if found is None:
        raise NotochordError(Code.CHAT_UNKNOWN, Fault.USER, f"no conversation {chat}", chat=chat)
    return found


def of_parent(connection: Connection, parent: str) -> tuple[ChatRecord, ...]:
    """Return the user's own conversations, last active first; with a parent its sub-agents', in the order of birth."""
    wanted = select(CHATS).where(CHATS.c.deleted == 0)
    if parent:
        wanted = wanted.where(CHATS.c.parent == parent).order_by(CHATS.c.id)
    else:
        wanted = wanted.where(CHATS.c.parent.is_(None)).order_by(CHATS.c.changed_at.desc(), CHATS.c.id.desc())
    return tuple(_record(row) for row in connection.execute(wanted))


def unfinished(connection: Connection) -> tuple[ChatRecord, ...]:
    """Return the conversations whose answer was under way when the program ended."""
    return tuple(_record(row) for row in connection.execute(select(CHATS).where(CHATS.c.answering != "")))


def deleted(connection: Connection) -> tuple[ChatRecord, ...]:
    return tuple(_record(row) for row in connection.execute(select(CHATS).where(CHATS.c.deleted == 1)))


def add(connection: Connection, record: ChatRecord, *, parent_call: str = "") -> None:
    connection.execute(
        insert(CHATS).values(
            id=record.id,
            parent=record.parent or None,
            parent_call=parent_call,
            role=record.role,
            title=record.title,
            title_state=record.title_state,
            pinned=int(record.pinned),
            folder=str(record.folder),
            own_folder=int(record.own_folder),
            provider=record.model.provider,
            model=record.model.model,
            chosen_by=record.chosen_by,
            plan_mode=int(record.plan_mode),
            branch=record.branch,
            answering=record.answering,
            failed=int(record.failed),
            deleted=0,
            created_at=record.changed_at,
            changed_at=record.changed_at,
        )
    )


def change(connection: Connection, chat: str, **values: str | int) -> None:
    _CHANGE.run(connection, {"of_chat": chat, **values})


def remove(connection: Connection, chat: str) -> None:
    connection.execute(delete(DRAFTS).where(DRAFTS.c.chat == chat))
    connection.execute(delete(CHATS).where(CHATS.c.id == chat))


def tool_set(connection: Connection, chat: str) -> ToolSet:
    opened = connection.execute(select(OPENED.c.name).where(OPENED.c.chat == chat)).scalars()
    switched_off = connection.execute(select(SWITCHED_OFF.c.name).where(SWITCHED_OFF.c.chat == chat)).scalars()
    return ToolSet(frozenset(opened), frozenset(switched_off))


def open_names(connection: Connection, chat: str, names: Iterable[str]) -> None:
    for name in names:
        connection.execute(insert_or(OPENED).values(chat=chat, name=name).on_conflict_do_nothing())


def switch(connection: Connection, chat: str, names: Collection[str], *, on: bool) -> None:
    """Switch `names` on or off in the conversation; all else stays as it is, also what is not there for now."""
    here = SWITCHED_OFF.c.chat == chat
    connection.execute(delete(SWITCHED_OFF).where(here, SWITCHED_OFF.c.name.in_(list(names))))
    for name in () if on else sorted(set(names)):
        connection.execute(insert(SWITCHED_OFF).values(chat=chat, name=name))


def _record(row: Row[Any]) -> ChatRecord:
    return ChatRecord(
        id=row.id,
        parent=row.parent or "",
        role=row.role,
        title=row.title,
        title_state=TitleState(row.title_state),
        pinned=bool(row.pinned),
        folder=Path(row.folder),
        own_folder=bool(row.own_folder),
        model=ModelRef(row.provider, row.model),
        chosen_by=row.chosen_by,
        plan_mode=bool(row.plan_mode),
        branch=row.branch,
        answering=row.answering,
        failed=bool(row.failed),
        changed_at=row.changed_at,
    )
