"""Conversations as a store of the journal: what a cause said in them, and taking it back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Integer, func, literal_column, select

from notochord.core.caller import Cause
from notochord.core.clock import Clock
from notochord.core.ids import IdMaker
from notochord.persistence.database import Database
from notochord.services.chat import chat_rows, entry_rows
from notochord.services.chat.branches import add_branch
from notochord.services.chat.records import Leaf
from notochord.services.chat.tables import ENTRIES
from notochord.services.journal.api import Change, Reverted

STORE = "chats"

_LAST: ColumnElement[int] = func.max(literal_column("chat_entries.rowid", Integer))
"""Which turn was written last; ids do not tell, since a clock can be set back."""


@dataclass(frozen=True, slots=True)
class _Turn:
    chat: str
    branch: str
    turn: str
    deepest: int
    messages: int
    at: int


class ChatJournalStore:
    """Implements `services.journal.api.JournalStore`.

    Taking a turn back makes the branch without it the active one; its messages stay as an alternative. A turn that
    others follow, or that is being answered, is skipped.
    """

    def __init__(self, *, database: Database, clock: Clock, ids: IdMaker, is_busy: Callable[[str], bool]) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._is_busy = is_busy

    @property
    def name(self) -> str:
        return STORE

    async def changes(self, cause: Cause) -> tuple[Change, ...]:
        return tuple(_change(turn) for turn in reversed(await self._turns(cause)))

    async def revert(self, cause: Cause) -> Reverted:
        undone: list[Change] = []
        skipped: list[Change] = []
        for turn in await self._turns(cause):
            outcome = await self._take_back(turn)
            if outcome is not None:
                (undone if outcome else skipped).append(_change(turn))
        return Reverted(tuple(undone), tuple(skipped))

    async def _turns(self, cause: Cause) -> Sequence[_Turn]:
        """Return the turns that `cause` names, newest first; steps and runs say nothing in conversations themselves."""
        if cause.step or cause.run:
            return ()
        return await self._database.read(lambda connection: _find_turns(connection, cause))

    async def _take_back(self, turn: _Turn) -> bool | None:
        """Return True when the turn was taken back, False when it has to stay, None when it was gone already."""
        branch, now = self._ids.new(), self._clock.milliseconds()
        busy = self._is_busy(turn.chat)

        def store(connection: Connection) -> bool | None:
            record = chat_rows.find(connection, turn.chat)
            way = entry_rows.whole(connection, record.branch) if record else ()
            if not any((entry.branch, entry.depth) == (turn.branch, turn.deepest) for entry in way):
                return None
            if busy or way[-1].turn != turn.turn:
                return False
            before = [entry for entry in way if entry.turn != turn.turn]
            after = Leaf(before[-1].id, before[-1].depth, before[-1].branch) if before else Leaf()
            add_branch(connection, turn.chat, branch, after=after, now=now)
            return True

        return await self._database.write(store)


def _find_turns(connection: Connection, cause: Cause) -> list[_Turn]:
    wanted = select(
        ENTRIES.c.chat,
        ENTRIES.c.branch,
        ENTRIES.c.turn,
        func.max(ENTRIES.c.depth).label("deepest"),
        func.count().label("messages"),
        func.min(ENTRIES.c.at).label("at"),
    ).where(ENTRIES.c.chat == cause.conversation)
    if cause.branch:
        wanted = wanted.where(ENTRIES.c.branch == cause.branch)
    if cause.turn:
        wanted = wanted.where(ENTRIES.c.turn == cause.turn)
    grouped = wanted.group_by(ENTRIES.c.chat, ENTRIES.c.branch, ENTRIES.c.turn).order_by(_LAST.desc())
    return [
        _Turn(row.chat, row.branch, row.turn, row.deepest, row.messages, row.at) for row in connection.execute(grouped)
    ]


def _change(turn: _Turn) -> Change:
    return Change(STORE, turn.chat, f"{turn.messages} messages", turn.at, True)
