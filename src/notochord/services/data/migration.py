"""Migrates the records of tables whose version is higher: batch by batch, on a copy, within time limits."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from notochord.core.caller import Actor, Caller
from notochord.core.clock import Clock
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.persistence.bare import BareConnection
from notochord.services.data import catalog, references
from notochord.services.data.access import Access
from notochord.services.data.api import Migrate, MigrationJob
from notochord.services.data.catalog import Stored
from notochord.services.data.changes import RECORD, ChangeRecorder
from notochord.services.data.compatibility import schema_error
from notochord.services.data.declaration import Declaration, Table
from notochord.services.data.nodes import record_path
from notochord.services.data.physical import drop_unique, records_of, update_sql, values_of
from notochord.services.data.validation import check

BATCH = 500
BATCH_CHARACTERS = 8 * 1_048_576
BATCH_SECONDS = 60.0
ALL_SECONDS = 600.0
MIGRATION = Caller(Actor.SYSTEM, "migration")


@dataclass(frozen=True, slots=True)
class _Change:
    """One table on its way from what is stored to what is declared."""

    number: int
    before: Table
    after: Table


class Migration:
    """One migration of a copy. A failure leaves the copy in any state; it is thrown away then."""

    def __init__(self, access: Access, *, recorder: ChangeRecorder, clock: Clock, migrate: Migrate) -> None:
        self._access = access
        self._recorder = recorder
        self._clock = clock
        self._migrate = migrate

    async def run(self, stored: dict[str, Stored], declaration: Declaration, names: Sequence[str]) -> None:
        """Migrate the named tables and take over the declaration. Raises DATA_SCHEMA, DATA_UNIQUE."""
        end = self._clock.monotonic() + ALL_SECONDS
        await self._access.write(lambda connection: _begin(connection, stored, declaration, names), MIGRATION)
        for name in names:
            before = stored[name].collection
            assert isinstance(before, Table)
            change = _Change(stored[name].number, before, declaration.tables[name])
            batches = _Batches(self._access, self._recorder, self._clock, change)
            await self._watched(change.after, batches, _job(change), end)
        await self._access.write(lambda connection: catalog.finish(connection, declaration), MIGRATION)

    async def _watched(self, table: Table, batches: "_Batches", job: MigrationJob, end: float) -> None:
        """Run the steps over one table, and stop them when a batch or the whole takes too long."""
        work = asyncio.ensure_future(self._migrate(job, batches))
        try:
            while not work.done():
                limit = min(end, batches.began + BATCH_SECONDS)
                left = limit - self._clock.monotonic()
                if left <= 0:
                    raise schema_error(f"the migration of {table.name} takes too long")
                timer = asyncio.ensure_future(self._clock.sleep(left))
                try:
                    await asyncio.wait([work, timer], return_when=asyncio.FIRST_COMPLETED)
                finally:
                    timer.cancel()
            work.result()
        finally:
            work.cancel()
            await asyncio.wait([work])
            _ = work.cancelled() or work.exception()  # looked at: what made it end is told already
        if not batches.is_done:
            raise schema_error(f"the migration of {table.name} ended before all records were migrated")


class _Batches:
    """Hands records out in the order in which they were made, and takes what became of them."""

    def __init__(self, access: Access, recorder: ChangeRecorder, clock: Clock, change: _Change) -> None:
        self._access = access
        self._recorder = recorder
        self._clock = clock
        self._change = change
        self._out: list[tuple[int, str, int, str]] = []
        self._last = 0
        self.is_done = False
        self.began = clock.monotonic()

    async def next(self) -> list[tuple[str, str]]:
        if self._out:
            raise schema_error(f"{self._change.after.name}: a batch was left out")
        self._out = await self._access.read(self._read)
        self.is_done = not self._out
        self.began = self._clock.monotonic()
        return [(identifier, data) for _, identifier, _, data in self._out]

    async def put(self, results: Sequence[tuple[str, Json]]) -> None:
        name = self._change.after.name
        if [identifier for identifier, _ in results] != [row[1] for row in self._out]:
            raise schema_error(f"{name}: the migration gave back other records than it was given")
        try:
            await self._access.write(lambda connection: self._write(connection, results), MIGRATION)
        except NotochordError as error:
            raise schema_error(f"{name}: a migrated record does not fit: {error.detail}") from error
        self._last = self._out[-1][0]
        self._out = []
        self.began = self._clock.monotonic()

    def _read(self, connection: BareConnection) -> list[tuple[int, str, int, str]]:
        source = f"{records_of(self._change.number)} WHERE n > ? ORDER BY n LIMIT {BATCH}"
        found: list[tuple[int, str, int, str]] = []
        size = 0
        with closing(connection.execute(f"SELECT n, id, version, data FROM {source}", (self._last,))) as rows:
            for row in rows:
                size += len(row[3])
                if found and size > BATCH_CHARACTERS:
                    break
                found.append(row)
        return found

    def _write(self, connection: BareConnection, results: Sequence[tuple[str, Json]]) -> None:
        table, number = self._change.after, self._change.number
        sql = update_sql(number, table.scalars)
        for (n, identifier, version, data), (_, result) in zip(self._out, results, strict=True):
            checked = check(table, result)
            revision, now = self._recorder.record(
                connection, MIGRATION, RECORD, f"{table.name}/{identifier}", data, checked.json
            )
            values = (revision, version + 1, now, checked.json, *values_of(table, checked.content), n)
            connection.execute(sql, values)
            before = references.targets_of(self._change.before.linking, json.loads(data))
            after = references.targets_of(table.linking, checked.content)
            references.check_blobs(connection, [pair for pair in after if pair not in before])
            if before != after:
                references.maintain(connection, record_path(table.name, identifier), before, after, now)


def _begin(
    connection: BareConnection, stored: dict[str, Stored], declaration: Declaration, names: Sequence[str]
) -> None:
    """Take over the declaration; what has to be unique may repeat itself until every record is migrated."""
    for name in names:
        drop_unique(connection, stored[name].number)
    catalog.begin(connection, declaration)


def _job(change: _Change) -> MigrationJob:
    steps = range(change.before.version, change.after.version)
    names = tuple(f"v{version}_to_v{version + 1}" for version in steps)
    return MigrationJob(change.after.name, change.after.migrations, names)
