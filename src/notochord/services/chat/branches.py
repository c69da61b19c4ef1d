"""Branches of a conversation: the stretches of the table that make up the way from its beginning to a leaf."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from notochord.services.chat.records import Leaf
from notochord.services.chat.tables import BRANCHES, CHATS, ENTRIES

END = 2**53
"""Deeper than any entry."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The entries of one branch from depth `low` to depth `high`, both included."""

    branch: str
    low: int
    high: int


def stretches(connection: Connection, branch: str) -> Iterator[Stretch]:
    """Yield the way from the leaf of `branch` back to the beginning; whoever stops early reads no further."""
    high = END
    while branch:
        row = connection.execute(
            select(BRANCHES.c.parent, BRANCHES.c.from_depth).where(BRANCHES.c.id == branch)
        ).one_or_none()
        if row is None:
            return
        if row.from_depth <= high:
            yield Stretch(branch, row.from_depth, high)
        branch, high = row.parent or "", min(high, row.from_depth - 1)


def find_leaf(connection: Connection, branch: str) -> Leaf:
    """Return the last entry on the way that ends in `branch`."""
    for stretch in stretches(connection, branch):
        row = connection.execute(
            select(ENTRIES.c.id, ENTRIES.c.depth)
            .where(ENTRIES.c.branch == stretch.branch, ENTRIES.c.depth.between(stretch.low, stretch.high))
            .order_by(ENTRIES.c.depth.desc())
            .limit(1)
        ).one_or_none()
        if row is not None:
            return Leaf(row.id, row.depth, stretch.branch)
    return Leaf()


def add_branch(connection: Connection, chat: str, branch: str, *, after: Leaf, now: int) -> None:
    """Let `branch` continue the conversation after an entry (after nothing: begin anew), and make it the active one."""
    connection.execute(
        insert(BRANCHES).values(
            id=branch, chat=chat, parent=after.branch or None, from_depth=after.depth + 1, used_at=0
        )
    )
    activate(connection, chat, branch, now)


def activate(connection: Connection, chat: str, branch: str, now: int) -> None:
    """Make `branch` the active one; among branches through an entry, the one used last is found first."""
    connection.execute(update(CHATS).where(CHATS.c.id == chat).values(branch=branch))
    latest = connection.execute(select(func.max(BRANCHES.c.used_at)).where(BRANCHES.c.chat == chat)).scalar_one()
    connection.execute(update(BRANCHES).where(BRANCHES.c.id == branch).values(used_at=max(now, latest + 1)))


def branch_through(connection: Connection, chat: str, branch: str, depth: int) -> str:
    """Return the branch used last whose way leads through the entry at (branch, depth)."""
    rows = connection.execute(select(BRANCHES).where(BRANCHES.c.chat == chat)).all()
    parents = {row.id: (row.parent or "", row.from_depth) for row in rows}
    for row in sorted(rows, key=lambda row: (row.used_at, row.id), reverse=True):
        if _leads_through(parents, row.id, branch, depth):
            return str(row.id)
    return branch


def _leads_through(parents: dict[str, tuple[str, int]], leaf: str, branch: str, depth: int) -> bool:
    """Tell whether the way to `leaf` contains the entry at (branch, depth)."""
    high = END
    while leaf:
        parent, low = parents.get(leaf, ("", END))
        if leaf == branch:
            return low <= depth <= high
        leaf, high = parent, min(high, low - 1)
    return False


def abandoned_turns(connection: Connection, old: str, kept: Leaf) -> tuple[tuple[str, str], ...]:
    """Return (branch, turn), newest first, of what lies on the way to `old` but not on the way to the entry `kept`."""
    shared = dict[str, int]()
    if kept.branch:
        for stretch in stretches(connection, kept.branch):
            shared[stretch.branch] = min(stretch.high, kept.depth)
    found: dict[tuple[str, str], None] = {}
    for stretch in stretches(connection, old):
        low = max(stretch.low, shared.get(stretch.branch, stretch.low - 1) + 1)
        rows = connection.execute(
            select(ENTRIES.c.branch, ENTRIES.c.turn)
            .where(ENTRIES.c.branch == stretch.branch, ENTRIES.c.depth.between(low, stretch.high))
            .group_by(ENTRIES.c.branch, ENTRIES.c.turn)
            .order_by(func.max(ENTRIES.c.depth).desc())
        )
        found.update(dict.fromkeys((str(row.branch), str(row.turn)) for row in rows))
        if stretch.branch in shared:
            break
    return tuple(found)
