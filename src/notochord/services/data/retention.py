"""Cleans a store: Log entries and change records past their time, in short transactions, at most once a day."""

from functools import partial

from notochord.core.caller import Actor, Caller
from notochord.core.clock import Clock
from notochord.persistence.bare import BareConnection
from notochord.services.data import references
from notochord.services.data.access import Access
from notochord.services.data.blobs import StoredBlobs
from notochord.services.data.catalog import Catalog
from notochord.services.data.declaration import Log
from notochord.services.data.nodes import entry_path

CLEANED_AT = "cleaned_at"
STEP = 500
"""How many rows one transaction takes away, so that others wait only briefly."""

PLATFORM = Caller(Actor.SYSTEM, "retention")
_DAY = 86_400_000

Bound = tuple[int, int]


class Retention:
    """Cleans one store. The moment of the last cleaning is kept in the store itself."""

    def __init__(self, access: Access, *, catalog: Catalog, blobs: StoredBlobs, clock: Clock) -> None:
        self._access = access
        self._catalog = catalog
        self._blobs = blobs
        self._clock = clock
        self._cleaned_at: int | None = None

    @property
    def is_due(self) -> bool:
        """Tell whether a day has gone by since the last cleaning that is known of here."""
        return self._cleaned_at is None or self._clock.milliseconds() - self._cleaned_at >= _DAY

    async def clean(self) -> None:
        """Clean the store if a day has gone by since it was last cleaned."""
        if self._cleaned_at is None:
            self._cleaned_at = await self._access.read(_last_cleaning)
        if not self.is_due:
            return
        now = self._clock.milliseconds()
        for log in self._catalog.declaration.logs.values():
            for bound in await self._access.read(partial(self._bounds, log=log, now=now)):
                await self._trim(log, bound)
        before = now - self._catalog.declaration.change_days * _DAY
        while await self._access.write(lambda connection: _forget(connection, before), PLATFORM):
            pass
        while not await self._blobs.clean(PLATFORM):
            pass
        await self._access.write(lambda connection: _note(connection, now), PLATFORM)
        self._cleaned_at = now

    def _bounds(self, connection: BareConnection, log: Log, now: int) -> list[Bound]:
        """Return up to which entry, by time and number, each part of a Log's retention takes entries away."""
        bounds = [(now - log.days * _DAY - 1, 2**62)] if log.days else []
        if log.entries:
            first = connection.execute(
                "SELECT at, n FROM log_entries WHERE collection = ? ORDER BY at DESC, n DESC LIMIT 1 OFFSET ?",
                (self._catalog.numbers[log.name], log.entries),
            ).fetchone()
            bounds += [] if first is None else [first]
        return bounds

    async def _trim(self, log: Log, bound: Bound) -> None:
        number = self._catalog.numbers[log.name]
        while await self._access.write(lambda connection: _take_away(connection, number, log, bound), PLATFORM):
            pass


def _last_cleaning(connection: BareConnection) -> int | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (CLEANED_AT,)).fetchone()
    return None if row is None else int(row[0])


def _note(connection: BareConnection, now: int) -> None:
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (CLEANED_AT, str(now)),
    )


def _take_away(connection: BareConnection, number: int, log: Log, bound: Bound) -> bool:
    """Take some entries up to a bound away, the oldest first; tell whether there may be more."""
    rows = connection.execute(
        f"SELECT n, id FROM log_entries WHERE collection = ? AND (at, n) <= (?, ?) ORDER BY at, n LIMIT {STEP}",
        (number, *bound),
    )
    gone = rows.fetchall()
    for n, identifier in gone:
        connection.execute("DELETE FROM log_entries WHERE n = ?", (n,))
        path = entry_path(log.name, identifier)
        connection.execute("DELETE FROM links WHERE source = ? AND kind LIKE ?", (path, f"{references.FIELD}%"))
    return len(gone) == STEP


def _forget(connection: BareConnection, before: int) -> bool:
    """Take some change records away, from the oldest on; tell whether there may be more."""
    oldest = connection.execute(f"SELECT sequence, at FROM changes ORDER BY sequence LIMIT {STEP}").fetchall()
    gone = [(sequence,) for sequence, at in oldest if at < before]
    connection.executemany("DELETE FROM changes WHERE sequence = ?", gone)
    return len(gone) == STEP
