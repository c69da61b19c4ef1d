"""Takes back what a cause changed in a store; what changed again since is left alone and told."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.errors import NotochordError
from notochord.persistence.bare import BareConnection
from notochord.services.data import changes, key_values, references
from notochord.services.data.access import Access
from notochord.services.data.api import Insert
from notochord.services.data.catalog import Catalog
from notochord.services.data.changes import ChangeRecorder, ChangeRow, changes_of, changes_since, word_of
from notochord.services.data.collections import MakeWriter
from notochord.services.data.documents import StoredDocuments
from notochord.services.data.records import read_row
from notochord.services.data.validation import check
from notochord.services.journal.api import Change, Reverted

UNDO = Caller(Actor.USER, "undo")
"""Who the changes of an undo are put down to; they have no cause of their own and are not taken back with one."""


@dataclass(frozen=True, slots=True)
class _Trail:
    """The changes of one subject by one cause: those at the end, which can go back, and those before others'."""

    kind: str
    subject: str
    last: tuple[ChangeRow, ...]
    buried: tuple[ChangeRow, ...]


class Undo:
    """Reads and takes back the changes of one store."""

    def __init__(
        self,
        access: Access,
        *,
        owner: str,
        catalog: Catalog,
        recorder: ChangeRecorder,
        writer: MakeWriter,
        documents: StoredDocuments,
    ) -> None:
        self._access = access
        self._owner = owner
        self._catalog = catalog
        self._recorder = recorder
        self._writer = writer
        self._documents = documents

    async def changes(self, cause: Cause) -> tuple[Change, ...]:
        """Return what `cause` changed and was not taken back, oldest first."""
        trails = await self._access.read(lambda connection: _trails(connection, cause))
        found = [row for trail in trails for row in (*trail.buried, *trail.last)]
        return self._told(sorted(found, key=lambda row: row.sequence))

    async def revert(self, cause: Cause) -> Reverted:
        """Take back what `cause` changed, the last change first."""
        trails = await self._access.read(lambda connection: _trails(connection, cause))
        undone: list[ChangeRow] = []
        skipped: list[ChangeRow] = []
        for trail in trails:
            skipped += trail.buried
            done = await self._take_back(trail)
            undone += trail.last[len(trail.last) - done :]
            skipped += trail.last[: len(trail.last) - done]
        return Reverted(self._told(undone), self._told(skipped))

    async def _take_back(self, trail: _Trail) -> int:
        """Return how many of the last changes of a subject went back."""
        if not trail.last:
            return 0
        if trail.kind == changes.DOCUMENT:
            return await self._take_back_document(trail)

        def work(connection: BareConnection) -> bool:
            return self._restore(connection, trail)

        try:
            return len(trail.last) if await self._access.write(work, UNDO) else 0
        except NotochordError:  # what is stored now does not take it: a unique value, a changed declaration
            return 0

    async def _take_back_document(self, trail: _Trail) -> int:
        done = 0
        for change in reversed(trail.last):
            if not await self._documents.undo(trail.subject, change.before, change.after, UNDO):
                break
            done += 1
        return done

    def _restore(self, connection: BareConnection, trail: _Trail) -> bool:
        # Between looking and writing another change may have come.
        if changes_since(connection, trail.kind, trail.subject, trail.last[-1].sequence + 1):
            return False
        before = trail.last[0].before
        match trail.kind:
            case changes.KV:
                key_values.put(connection, self._recorder, UNDO, trail.subject, before)
                return True
            case changes.RECORD:
                return self._restore_record(connection, trail.subject, before)
            case changes.ENTRY:
                return self._remove_entry(connection, trail)
            case changes.LINK:
                return self._restore_link(connection, trail.subject, linked=before is not None)
            case _:
                return False

    def _restore_record(self, connection: BareConnection, subject: str, before: str | None) -> bool:
        name, _, identifier = subject.partition("/")
        table, writer = self._catalog.table(name), self._writer(connection, UNDO)
        row = read_row(connection, self._catalog.numbers[name], identifier)
        if before is None:
            if row is not None:
                writer.remove(table, row)
        elif row is None:
            writer.insert(Insert(name, json.loads(before), identifier))
        else:
            writer.replace(table, row, check(table, json.loads(before)))
        return True

    def _remove_entry(self, connection: BareConnection, trail: _Trail) -> bool:
        log, _, identifier = trail.subject.partition("/")
        gone = connection.execute("DELETE FROM log_entries WHERE id = ?", (identifier,)).rowcount
        if gone:
            connection.execute("DELETE FROM links WHERE source = ?", (f"log/{log}/{identifier}",))
            self._recorder.record(connection, UNDO, changes.ENTRY, trail.subject, trail.last[0].after, None)
        return bool(gone)

    def _restore_link(self, connection: BareConnection, subject: str, *, linked: bool) -> bool:
        source, kind, target = json.loads(subject)
        told = (None, "linked") if linked else ("linked", None)
        _, now = self._recorder.record(connection, UNDO, changes.LINK, subject, *told)
        if linked:
            references.link(connection, source, target, kind, now)
        else:
            references.unlink(connection, source, target, kind)
        return True

    def _told(self, found: Sequence[ChangeRow]) -> tuple[Change, ...]:
        return tuple(
            Change(
                store=self._owner,
                subject=f"{row.kind}:{row.subject}",
                what=f"{row.kind} {row.subject} {word_of(row)}",
                at=row.at,
                revertible=row.kind != changes.BLOB,
            )
            for row in found
        )


def _trail(kind: str, subject: str, own: Sequence[ChangeRow], since: Sequence[ChangeRow]) -> _Trail:
    """Sort what a cause changed of one subject; what an undo took back already is left out."""
    after = [row for row in since if row.sequence > own[-1].sequence]
    undos = len(list(takewhile(_is_undo, after)))
    sequences = {row.sequence for row in own}
    before = reversed(since[: len(since) - len(after)])
    joined = len(list(takewhile(lambda row: row.sequence in sequences, before)))
    # A document goes back one change after the other, all else at once.
    gone = min(undos, joined) if kind == changes.DOCUMENT else joined if undos else 0
    last = joined - gone if undos == len(after) else 0
    end = len(own) - gone
    return _Trail(kind, subject, tuple(own[end - last : end]), tuple(own[: end - last]))


def _is_undo(row: ChangeRow) -> bool:
    return (row.actor, row.name) == (UNDO.actor.value, UNDO.name)


def _trails(connection: BareConnection, cause: Cause) -> list[_Trail]:
    """Return what a cause changed by subject, the one changed last first."""
    own: dict[tuple[str, str], list[ChangeRow]] = {}
    for row in changes_of(connection, cause):
        own.setdefault((row.kind, row.subject), []).append(row)
    found = []
    for (kind, subject), rows in own.items():
        trail = _trail(kind, subject, rows, changes_since(connection, kind, subject, rows[0].sequence))
        if trail.last or trail.buried:
            found.append(trail)
    return sorted(found, key=lambda trail: -max(row.sequence for row in (*trail.last, *trail.buried)))
