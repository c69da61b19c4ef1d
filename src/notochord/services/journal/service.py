"""Notes beforehand which stores a cause touches, and asks exactly these what changed or to take it back."""

import logging
from dataclasses import asdict, replace

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from notochord.core.caller import Cause
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.database import Database
from notochord.services.journal.api import Change, JournalStore, Reverted
from notochord.services.journal.tables import TOUCHES

REMEMBERED = 4096

_log = logging.getLogger(__name__)


class JournalService:
    """The journal of main.db; every store is registered at start."""

    def __init__(self, *, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._stores: dict[str, JournalStore] = {}
        self._noted: set[tuple[str, Cause]] = set()

    def register(self, store: JournalStore) -> None:
        """Add a store. Raises ValueError when its name is taken by another."""
        if self._stores.get(store.name, store) is not store:
            raise ValueError(f"two stores are called {store.name}")
        self._stores[store.name] = store

    async def touch(self, store: str, cause: Cause) -> None:
        """Note, durably and beforehand, that `cause` is about to change `store`; once is enough for each cause."""
        cause = _without_step(cause)
        if (store, cause) in self._noted:
            return
        row = {**_parts(cause), "store": store, "at": self._clock.milliseconds()}
        await self._database.write(
            lambda connection: connection.execute(insert(TOUCHES).values(row).on_conflict_do_nothing())
        )
        if len(self._noted) >= REMEMBERED:
            self._noted.clear()
        self._noted.add((store, cause))

    async def changes(self, cause: Cause) -> tuple[Change, ...]:
        """Return what `cause` changed, oldest first; an empty field of the cause matches everything.

        Raises INPUT_INVALID for a step of no conversation and no run.
        """
        _require_whole(cause)
        found = [change for store in await self._touched(cause) for change in await store.changes(cause)]
        return tuple(sorted(found, key=lambda change: change.at))

    async def revert(self, cause: Cause) -> Reverted:
        """Take back what `cause` changed; what changed again since is skipped and named.

        Raises INPUT_INVALID for a cause without any part (that would take back everything there is), and for a step
        of no conversation and no run.
        """
        _require_whole(cause)
        if cause == Cause():
            raise NotochordError(
                Code.INPUT_INVALID, Fault.USER, "name the conversation or the run to take back", why="why.cause_missing"
            )
        results = [await store.revert(cause) for store in reversed(await self._touched(cause))]
        return Reverted(
            tuple(change for result in results for change in result.undone),
            tuple(change for result in results for change in result.skipped),
        )

    async def _touched(self, cause: Cause) -> list[JournalStore]:
        """Return the stores in the order in which they were first touched."""
        names = await self._database.read(lambda connection: _names(connection, cause))
        missing = [name for name in names if name not in self._stores]
        if missing:
            _log.warning("stores that are gone were touched: %s", ", ".join(missing))
        return [self._stores[name] for name in names if name in self._stores]


def _names(connection: Connection, cause: Cause) -> list[str]:
    wanted = select(TOUCHES.c.store).order_by(TOUCHES.c.at, TOUCHES.c.store)
    for part, value in _parts(cause).items():
        if value:
            wanted = wanted.where(TOUCHES.c[part] == value)
    return list(dict.fromkeys(connection.execute(wanted).scalars()))


def _require_whole(cause: Cause) -> None:
    """Refuse a step alone: its id is the provider's own and may stand in other conversations too."""
    if cause.step and not (cause.conversation or cause.run):
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "name the conversation or the run of the step", why="why.step_alone"
        )


def _without_step(cause: Cause) -> Cause:
    """One note for all steps of an answer is enough: the store itself knows the steps."""
    return replace(cause, step="")


def _parts(cause: Cause) -> dict[str, str]:
    return {part: value for part, value in asdict(cause).items() if part != "step"}
