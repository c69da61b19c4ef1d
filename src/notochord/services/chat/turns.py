"""Begins turns: a new message, another answer to an old one, another message in the place of an old one."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, delete, insert, literal_column, select

from notochord.core.caller import Cause
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.persistence.database import Database
from notochord.services.chat import chat_rows, entry_rows, taken_back
from notochord.services.chat.api import ChatChanged, FilesReverted, FilesStayed, Outgoing
from notochord.services.chat.branches import abandoned_turns, activate, add_branch, branch_through, find_leaf
from notochord.services.chat.journal_store import STORE
from notochord.services.chat.openings import background_text, user_entry
from notochord.services.chat.records import ChatRecord, EntryRecord, Leaf, TitleState
from notochord.services.chat.tables import REVERTS
from notochord.services.chat.titles import first_title
from notochord.services.chat.views import RESULTS
from notochord.services.files.api import Files, Root
from notochord.services.journal.api import Change, Journal, Reverted
from notochord.services.models.api import Role


class Turns:
    """Records how a turn begins; nobody else changes the branch meanwhile.

    What a left branch had changed is noted as still to be taken back in the transaction that leaves it, so that no
    crash forgets it (PERM-103 to PERM-105).
    """

    def __init__(
        self, *, database: Database, clock: Clock, ids: IdMaker, events: EventBus, files: Files, journal: Journal
    ) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._events = events
        self._files = files
        self._journal = journal

    async def send(self, record: ChatRecord, outgoing: Outgoing) -> ChatRecord:
        """Store a message with its files and return the conversation as it is now, its turn in `answering`."""
        message = self._ids.new()
        attachments = await self._take_in(record, outgoing)
        await self._journal.touch(STORE, Cause(record.id, record.branch, message))
        background, now = background_text(self._clock, attachments), self._clock.milliseconds()

        def store(connection: Connection) -> ChatRecord:
            leaf = find_leaf(connection, record.branch)
            entry = user_entry(message, record.branch, leaf, outgoing.text, background, now, attachments)
            entry_rows.add(connection, record.id, entry)
            if record.title_state is TitleState.NONE:
                title, state = first_title(outgoing.text, attachments)
                chat_rows.change(connection, record.id, title=title, title_state=state)
            return _begun(connection, record.id, message, now)

        return await self._database.write(store)

    async def retry(self, record: ChatRecord, entry: str) -> ChatRecord:
        """Leave what followed a message of the user, and begin its turn anew on a branch of its own."""
        branch, now = self._ids.new(), self._clock.milliseconds()

        def store(connection: Connection) -> ChatRecord:
            found = entry_rows.get(connection, record.id, entry.removesuffix(RESULTS))
            asked = found if found.role is Role.USER else entry_rows.get(connection, record.id, found.turn)
            _leave(connection, record, branch, Leaf(asked.id, asked.depth, asked.branch), now)
            background = background_text(self._clock, asked.attachments)
            entry_rows.change(connection, asked.id, background=background)
            return _begun(connection, record.id, asked.id, now)

        return await self._begin_on_branch(record.id, store)

    async def edit(self, record: ChatRecord, entry: str, text: str) -> ChatRecord:
        """Leave a message of the user and what followed, and begin a turn with another text and the same files."""
        branch, message, now = self._ids.new(), self._ids.new(), self._clock.milliseconds()

        def store(connection: Connection) -> ChatRecord:
            replaced = entry_rows.get(connection, record.id, entry)
            _check_editable(replaced, text)
            after = _leaf_of_parent(connection, record.id, replaced)
            _leave(connection, record, branch, after, now)
            background = background_text(self._clock, replaced.attachments)
            entry_rows.add(
                connection,
                record.id,
                user_entry(message, branch, after, text, background, now, replaced.attachments),
            )
            return _begun(connection, record.id, message, now)

        return await self._begin_on_branch(record.id, store)

    async def switch(self, chat: str, entry: str) -> None:
        """Show the branch through an entry. Files and gems' data stay, and that is told where it matters."""
        now = self._clock.milliseconds()

        def store(connection: Connection) -> tuple[tuple[tuple[str, str], ...], bool]:
            before = chat_rows.get(connection, chat).branch
            found = entry_rows.get(connection, chat, entry.removesuffix(RESULTS))
            after = branch_through(connection, chat, found.branch, found.depth)
            activate(connection, chat, after, now)
            left = abandoned_turns(connection, before, find_leaf(connection, after))
            turns = left + abandoned_turns(connection, after, find_leaf(connection, before))
            return turns, taken_back.was_noted(connection, chat, turns)

        turns, went_back = await self._database.write(store)
        self._events.publish(ChatChanged(chat))
        if went_back or await self._changed_something(chat, turns):
            self._events.publish(FilesStayed(chat))

    async def _changed_something(self, chat: str, turns: Sequence[tuple[str, str]]) -> bool:
        """Tell whether one of these turns changed files, or what gems stored."""
        for branch, turn in turns:
            changes = await self._journal.changes(Cause(chat, branch, turn))
            if any(change.store != STORE for change in changes):
                return True
        return False

    async def take_back(self, chat: str) -> None:
        """Take back what left branches had changed, newest first; what changed again since is left alone and told."""
        pending = await self._database.read(lambda connection: _pending(connection, chat))
        results = []
        for branch, turn in pending:
            results.append(await self._take_back_turn(Cause(chat, branch, turn)))
        undone = tuple(change for result in results for change in result.undone)
        skipped = tuple(change for result in results for change in result.skipped)
        if undone or skipped:
            self._events.publish(FilesReverted(chat, Reverted(undone, skipped)))

    async def _take_back_turn(self, cause: Cause) -> Reverted:
        """Take back what one turn changed; whenever the program ends, what went back is told all the same."""
        changes = await self._journal.changes(cause)
        new = await self._database.write(partial(_about_to_take_back, cause, changes))
        reverted = await self._journal.revert(cause)
        await self._database.write(partial(_taken_back, cause, reverted, new))
        return reverted

    async def _begin_on_branch(self, chat: str, store: Callable[[Connection], ChatRecord]) -> ChatRecord:
        record = await self._database.write(store)
        await self.take_back(chat)
        await self._journal.touch(STORE, Cause(chat, record.branch, record.answering))
        return record

    async def _take_in(self, record: ChatRecord, outgoing: Outgoing) -> tuple[str, ...]:
        """Copy the files into the folder. They belong to the conversation: leaving the turn does not remove them.

        Raises FILES_MISSING, naming them all, when several are gone; none is copied then.
        """
        gone = await asyncio.to_thread(_gone, outgoing.attachments)
        if len(gone) > 1:
            raise NotochordError(Code.FILES_MISSING, Fault.USER, "no files", names=", ".join(gone))
        root = Root(record.folder, hide_dots=False, history=True)
        cause = Cause(conversation=record.id)
        return tuple([await self._files.take_in(root, source, cause) for source in outgoing.attachments])


def _gone(files: Sequence[Path]) -> list[str]:
    return [file.name for file in files if _is_gone(file)]


def _is_gone(file: Path) -> bool:
    """What cannot be looked at counts as there: copying it tells why it cannot be had."""
    try:
        return not file.is_file()
    except OSError:
        return False


def _begun(connection: Connection, chat: str, turn: str, now: int) -> ChatRecord:
    chat_rows.change(connection, chat, answering=turn, failed=0, changed_at=now)
    return chat_rows.get(connection, chat)


def _leave(connection: Connection, record: ChatRecord, branch: str, after: Leaf, now: int) -> None:
    for left, turn in reversed(abandoned_turns(connection, record.branch, after)):
        connection.execute(insert(REVERTS).prefix_with("OR IGNORE").values(chat=record.id, branch=left, turn=turn))
    add_branch(connection, record.id, branch, after=after, now=now)


def _pending(connection: Connection, chat: str) -> list[tuple[str, str]]:
    """Return (branch, turn), newest first: what was noted last. Ids do not tell, since a clock can be set back."""
    wanted = select(REVERTS.c.branch, REVERTS.c.turn).where(REVERTS.c.chat == chat)
    rows = connection.execute(wanted.order_by(literal_column("rowid").desc()))
    return [(row.branch, row.turn) for row in rows]


def _about_to_take_back(cause: Cause, changes: Sequence[Change], connection: Connection) -> bool:
    if chat_rows.find(connection, cause.conversation) is None:
        return True
    return taken_back.plan(connection, cause.conversation, cause.branch, cause.turn, changes)


def _taken_back(cause: Cause, reverted: Reverted, new: bool, connection: Connection) -> None:
    if chat_rows.find(connection, cause.conversation) is not None:
        taken_back.settle(connection, cause.conversation, cause.branch, cause.turn, reverted, new=new)
    left = (REVERTS.c.chat == cause.conversation, REVERTS.c.branch == cause.branch, REVERTS.c.turn == cause.turn)
    connection.execute(delete(REVERTS).where(*left))


def _leaf_of_parent(connection: Connection, chat: str, entry: EntryRecord) -> Leaf:
    if not entry.parent:
        return Leaf()
    parent = entry_rows.get(connection, chat, entry.parent)
    return Leaf(parent.id, parent.depth, parent.branch)


def _check_editable(entry: EntryRecord, text: str) -> None:
    if entry.role is not Role.USER:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "only messages of the user can be edited", why="why.edit_own_only"
        )
    if not text.strip() and not entry.attachments:
        raise NotochordError(Code.INPUT_INVALID, Fault.USER, "the message is empty", why="why.message_empty")
