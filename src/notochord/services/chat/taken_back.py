"""Remembers what went back when a branch was left, so that the new one says so where it begins."""

from collections.abc import Iterable

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from notochord.core.flat_text import flattened
from notochord.core.strict_json import Json, decode, encode
from notochord.services.chat import entry_rows
from notochord.services.chat.api import TakenBack
from notochord.services.chat.branches import stretches
from notochord.services.chat.journal_store import STORE
from notochord.services.chat.tables import BRANCHES, TAKEN_BACK
from notochord.services.journal.api import Change, Reverted

FILES = "files"
MOST_NAMES = 1000
_LONGEST_NAME = 200


def note(connection: Connection, chat: str, branch: str, left: str, turn: str, reverted: Reverted) -> None:
    """Store what went back of a turn; nothing is stored of one that changed nothing."""
    undone, skipped = _told(reverted.undone), _told(reverted.skipped)
    if not undone and not skipped:
        return
    content: dict[str, Json] = {
        "files": _names(change for change in undone if change.store == FILES),
        "files_left": _names(change for change in skipped if change.store == FILES),
        "records": len({(change.store, change.subject) for change in undone if change.store != FILES}),
        "records_left": _names(change for change in skipped if change.store != FILES),
    }
    row = {"chat": chat, "branch": branch, "left_branch": left, "turn": turn, "content": encode(content)}
    connection.execute(insert(TAKEN_BACK).values(row).on_conflict_do_nothing())


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
    if not rows:
        return None
    begins = connection.execute(select(BRANCHES.c.from_depth).where(BRANCHES.c.id == branch)).scalar_one()
    before = entry_rows.latest(connection, branch, 1, before=begins)
    contents = [content for row in rows if isinstance(content := decode(row), dict)]
    return TakenBack(
        after=before[-1].id if before else "",
        files=_all(contents, "files"),
        files_left=_all(contents, "files_left"),
        records=sum(number for content in contents if isinstance(number := content["records"], int)),
        records_left=_all(contents, "records_left"),
    )


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


def _all(contents: Iterable[dict[str, Json]], kind: str) -> tuple[str, ...]:
    named = [content[kind] for content in contents]
    return tuple(dict.fromkeys(str(name) for names in named if isinstance(names, list) for name in names))
