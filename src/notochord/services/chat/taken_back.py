"""Remembers what went back when a branch was left, so that the new one says so where it begins."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from notochord.core.flat_text import flattened
from notochord.core.strict_json import Json, decode, encode
from notochord.services.chat import chat_rows, entry_rows
from notochord.services.chat.api import TakenBack
from notochord.services.chat.branches import stretches
from notochord.services.chat.journal_store import STORE
from notochord.services.chat.tables import BRANCHES, TAKEN_BACK
from notochord.services.journal.api import Change, Reverted

FILES = "files"
MOST_NAMES = 1000
_LONGEST_NAME = 200
_PLANNED = "planned"

Content: TypeAlias = Mapping[str, Json]
_NOTHING: Content = {"files": [], "files_left": [], "records": 0, "records_left": []}


@dataclass(frozen=True, slots=True)
class _Plan:
    """What was about to go back, to be told where `branch` begins."""

    branch: str
    content: Content


def plan(connection: Connection, chat: str, left: str, turn: str, changes: Sequence[Change]) -> bool:
    """Store what is about to go back of a turn; tell whether that is new, and not left over from an end in between.

    A change that went back is no longer found: were it noted afterwards only, an end in between would lose it.
    """
    if _planned(connection, chat, left, turn) is not None:
        return False
    content = _content(Reverted(tuple(change for change in changes if change.revertible), ()))
    if content is not None:
        _add(connection, chat, chat_rows.get(connection, chat).branch, left, turn, {**content, _PLANNED: True})
    return True


def settle(connection: Connection, chat: str, left: str, turn: str, reverted: Reverted, *, new: bool) -> None:
    """Store what went back of a turn in place of its plan; nothing is stored of one that changed nothing.

    Of a plan that is not `new`, what is not left alone went back, now or before the end in between.
    """
    content, planned = _content(reverted), _planned(connection, chat, left, turn)
    branch = planned.branch if planned else chat_rows.get(connection, chat).branch
    if planned is not None:
        own = (TAKEN_BACK.c.chat == chat, TAKEN_BACK.c.branch == branch, TAKEN_BACK.c.left_branch == left)
        connection.execute(delete(TAKEN_BACK).where(*own, TAKEN_BACK.c.turn == turn))
        content = content if new else _with_earlier(planned.content, content or _NOTHING)
    if content is not None:
        _add(connection, chat, branch, left, turn, content)


def on_the_way(connection: Connection, branch: str) -> tuple[TakenBack, ...]:
    """Return what is told on the way to the leaf of `branch`, oldest first."""
    found = [_of_branch(connection, stretch.branch) for stretch in stretches(connection, branch)]
    return tuple(told for told in reversed(found) if told is not None)


def was_noted(connection: Connection, chat: str, turns: Iterable[tuple[str, str]]) -> bool:
    """Tell whether something went back of one of these turns, each on its branch."""
    wanted = select(TAKEN_BACK.c.left_branch, TAKEN_BACK.c.turn).where(TAKEN_BACK.c.chat == chat)
    noted = {(row.left_branch, row.turn) for row in connection.execute(wanted)}
    return not noted.isdisjoint(turns)


def _of_branch(connection: Connection, branch: str) -> TakenBack | None:
    rows = connection.execute(select(TAKEN_BACK.c.content).where(TAKEN_BACK.c.branch == branch)).scalars().all()
    contents = [content for row in rows if isinstance(content := decode(row), dict) and _PLANNED not in content]
    if not contents:
        return None
    begins = connection.execute(select(BRANCHES.c.from_depth).where(BRANCHES.c.id == branch)).scalar_one()
    before = entry_rows.latest(connection, branch, 1, before=begins)
    return TakenBack(
        after=before[-1].id if before else "",
        files=_all(contents, "files"),
        files_left=_all(contents, "files_left"),
        records=sum(number for content in contents if isinstance(number := content["records"], int)),
        records_left=_all(contents, "records_left"),
    )


def _planned(connection: Connection, chat: str, left: str, turn: str) -> _Plan | None:
    wanted = select(TAKEN_BACK.c.branch, TAKEN_BACK.c.content).where(
        TAKEN_BACK.c.chat == chat, TAKEN_BACK.c.left_branch == left, TAKEN_BACK.c.turn == turn
    )
    for row in connection.execute(wanted):
        content = decode(row.content)
        if isinstance(content, dict) and _PLANNED in content:
            return _Plan(row.branch, content)
    return None


def _add(connection: Connection, chat: str, branch: str, left: str, turn: str, content: Content) -> None:
    row = {"chat": chat, "branch": branch, "left_branch": left, "turn": turn, "content": encode(dict(content))}
    connection.execute(insert(TAKEN_BACK).values(row).on_conflict_do_nothing())


def _content(reverted: Reverted) -> Content | None:
    undone, skipped = _told(reverted.undone), _told(reverted.skipped)
    if not undone and not skipped:
        return None
    return {
        "files": _names(change for change in undone if change.store == FILES),
        "files_left": _names(change for change in skipped if change.store == FILES),
        "records": len({(change.store, change.subject) for change in undone if change.store != FILES}),
        "records_left": _names(change for change in skipped if change.store != FILES),
    }


def _with_earlier(planned: Content, now: Content) -> Content:
    left = _all([now], "files_left")
    files: list[Json] = [name for name in _all([planned], "files") if name not in left]
    records = [number for content in (planned, now) if isinstance(number := content["records"], int)]
    gone = records[0] - len(_all([now], "records_left"))
    return {**now, "files": files, "records": max(gone, records[-1])}


def _told(changes: Iterable[Change]) -> list[Change]:
    """Messages of the left branch stay as an alternative: they did not go back."""
    return [change for change in changes if change.store != STORE]


def _names(changes: Iterable[Change]) -> list[Json]:
    names: dict[Json, None] = dict.fromkeys(_name(change) for change in changes)
    return list(names)[:MOST_NAMES]


def _name(change: Change) -> str:
    """Return a file's path, or whose record it is and which."""
    if change.store == FILES:
        return change.subject
    return flattened(
        f"{change.store.removeprefix('gem:')}: {change.subject.partition(':')[2] or change.subject}", _LONGEST_NAME
    )


def _all(contents: Iterable[Content], kind: str) -> tuple[str, ...]:
    named = [content[kind] for content in contents]
    return tuple(dict.fromkeys(str(name) for names in named if isinstance(names, list) for name in names))
