"""The file history as a store of the journal: what a cause changed, and taking it back."""

from contextlib import suppress
from functools import partial

from notochord.core.caller import Cause
from notochord.core.errors import NotochordError
from notochord.persistence.database import Database
from notochord.services.files import records
from notochord.services.files.failures import failures
from notochord.services.files.kept import KeptCopies
from notochord.services.files.records import Kind, Record
from notochord.services.files.reverting import Plan, Reverting
from notochord.services.files.threads import FileThreads
from notochord.services.journal.api import Change, Journal, Reverted

STORE = "files"


class FileHistory:
    """Keeps the rows and takes changes back; the caller holds the lock on changes."""

    def __init__(self, *, database: Database, journal: Journal, kept: KeptCopies) -> None:
        self._database = database
        self._journal = journal
        self._reverting = Reverting(kept=kept)

    async def add(self, added: list[Record]) -> None:
        """Record changes, durably, before they are made."""
        if added:
            await self._journal.touch(STORE, added[0].cause)
            await self._database.write(lambda connection: records.add(connection, added))

    async def settle(self, threads: FileThreads) -> None:
        """Bring the newest change to one of its two ends, if a kill cut it off; a folder out of reach is left alone."""
        newest = await self._database.read(records.last)
        if newest is None:
            return

        def settle() -> None:
            with failures(newest.path):
                self._reverting.settle(newest)

        with suppress(NotochordError):
            await threads.run(settle)

    async def changes(self, cause: Cause) -> tuple[Change, ...]:
        """Return what the cause changed and was not taken back, oldest first."""
        found = await self._database.read(lambda connection: records.load(connection, cause))
        return tuple(map(_as_change, found))

    async def revert(self, cause: Cause, threads: FileThreads) -> Reverted:
        """Take back what the cause changed, last change first; what something else changed since is skipped."""
        undone: list[Record] = []
        skipped: list[Record] = []
        found = await self._database.read(lambda connection: records.load(connection, cause))
        for record in reversed(found):
            if record.kind is Kind.TAKEN_IN:
                continue
            if await self._revert_one(record, threads):
                # One by one: after a kill, what lies here is compared with the changes that are not taken back yet.
                await self._database.write(partial(records.mark_reverted, record=record))
                undone.append(record)
            else:
                skipped.append(record)
        return Reverted(tuple(map(_as_change, undone)), tuple(map(_as_change, skipped)))

    async def _revert_one(self, record: Record, threads: FileThreads) -> bool:
        def plan() -> Plan:
            with failures(record.path):
                return self._reverting.plan(record)

        def apply() -> None:
            with failures(record.path):
                self._reverting.apply(record, due=planned.due)

        try:
            planned = await threads.run(plan)
            if planned.kept_after:
                kept = planned.kept_after
                await self._database.write(lambda connection: records.keep_after(connection, record.id, kept))
            if planned.possible:
                await threads.run(apply)
        except NotochordError:
            return False
        return planned.possible


def _as_change(record: Record) -> Change:
    return Change(STORE, record.path, record.sentence(), record.at, record.revertible)
