"""Times a gem's data store against hand-written SQL on the same kind of file, in one run.

    PYTHONPATH=src:tests python tests/bench/bench_data.py [RECORDS]

The floor does with plain statements what the store does for a gem: the same SQLCipher file with the same tables,
indexes and settings, the change record of every write, each write on the disk when it returns, in the same threads. It
leaves out the declaration, its checks, versions, references and cursors. RECORDS (200000 unless given; 1000000 takes
some minutes) is the size of the large table.
"""

import asyncio
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from notochord.core.clock import SystemClock
from notochord.core.ids import IdMaker
from notochord.persistence.bare import BareConnection, bare
from notochord.persistence.database import Database
from notochord.services.data.api import Condition, Insert, Query, Write
from notochord.services.data.component import COMPONENT
from notochord.services.data.opening import CACHE_KIBIBYTES
from notochord.services.data.store import EncryptedStore
from notochord.services.gems.host_data import GuestData
from notochord.services.sandbox.api import HostAnswer, HostRequest
from support.data import GEM, opened, table
from support.databases import KEY
from support.guests import MemoryHost, guest_call, make_gem, real_sandbox

ROUNDS = 200
NAMESPACES = ("storage.kv", "data")
FIELDS = {
    "title": {"type": "string", "required": True},
    "status": {"type": "string", "enum": ["open", "done"]},
    "due": {"type": "timestamp"},
    "amount": {"type": "number"},
}
DECLARED = table(FIELDS, indexes=[["status", "due"]])
Step = Callable[[int], Awaitable[object]]
CHANGE = (
    "INSERT INTO changes "
    "(device, at, actor, name, conversation, branch, turn, run, step, kind, subject, before, after) "
    "VALUES ('here', ?, 'gem', 'sales', 'talk', 'main', 'turn', 'run', 'step', 'record', ?, NULL, ?)"
)
TABLE = (
    "CREATE TABLE rec_1 (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, "
    "version INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, data TEXT NOT NULL, "
    "f_title ANY, f_status ANY, f_due ANY, f_amount ANY) STRICT"
)
INDEX = "CREATE INDEX by_status ON rec_1 (f_status, f_due, id)"
ROW = (
    "INSERT INTO rec_1 (id, revision, version, created_at, updated_at, data, f_title, f_status, f_due, f_amount) "
    "VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?)"
)


def content(number: int) -> dict[str, Any]:
    return {"title": f"a title of number {number}", "status": "open", "due": number, "amount": number / 3}


class Floor:
    """Hand-written SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._ids = IdMaker(SystemClock())

    async def start(self) -> None:
        def make(connection: Connection) -> None:
            for statement in (TABLE, INDEX):
                bare(connection).execute(statement)

        await self._database.write(make)

    async def insert(self, contents: list[dict[str, Any]]) -> None:
        await self._database.write(lambda connection: self._insert(bare(connection), contents))

    def _insert(self, connection: BareConnection, contents: list[dict[str, Any]]) -> None:
        for one in contents:
            data, now, name = json.dumps(one), time.time_ns() // 1_000_000, self._ids.new()
            made = connection.execute(CHANGE, (now, f"items/{name}", data)).lastrowid
            connection.execute(
                ROW, (name, made, now, now, data, one["title"], one["status"], one["due"], one["amount"])
            )

    async def get(self, name: str) -> Any:
        question = "SELECT id, version, created_at, updated_at, data FROM rec_1 WHERE id = ?"
        return await self._database.read(lambda connection: bare(connection).execute(question, (name,)).fetchone())

    async def page(self) -> Any:
        question = (
            "SELECT id, version, created_at, updated_at, data FROM rec_1 WHERE f_status = ? "
            "AND f_due IS NOT NULL ORDER BY f_due, id LIMIT 20"
        )
        return await self._database.read(lambda connection: bare(connection).execute(question, ("open",)).fetchall())

    async def count(self) -> Any:
        question = "SELECT count(*) FROM rec_1 WHERE f_status = ?"
        return await self._database.read(lambda connection: bare(connection).execute(question, ("open",)).fetchone())

    async def names(self) -> list[str]:
        question = "SELECT id FROM rec_1 LIMIT 1000"
        rows = await self._database.read(lambda connection: bare(connection).execute(question).fetchall())
        return [row[0] for row in rows]


async def interleaved(steps: dict[str, Step], rounds: int) -> dict[str, float]:
    """Return the median time of each step in milliseconds; the steps take turns, so that load hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in steps}
    for number in range(rounds):
        for name, step in steps.items():
            began = time.perf_counter()
            await step(number)
            times[name].append(1000 * (time.perf_counter() - began))
    return {name: statistics.median(found) for name, found in times.items()}


def tell(name: str, found: dict[str, float], wanted: str) -> None:
    print(f"{name}: {found['floor'] / found['store']:.2f} of the floor's rate, at least {wanted} "
          f"(store {found['store']:.3f} ms, floor {found['floor']:.3f} ms)")  # fmt: skip


OPEN = (Condition("status", "==", "open"),)
PAGE = Query("items", OPEN, (("due", "asc"),), limit=20)


async def against_the_floor(folder: Path) -> None:
    database = await Database.open(folder / "floor.db", KEY, (COMPONENT,), cache=CACHE_KIBIBYTES)
    floor = Floor(database)
    await floor.start()
    async with opened(folder / "store", DECLARED, clock=SystemClock()) as store:
        records = store.records

        async def hundred(number: int) -> None:
            writes: list[Write] = [Insert("items", content(number)) for _ in range(100)]
            await records.transact((), writes, GEM)

        pairs: dict[str, tuple[Step, Step, int, str]] = {
            "insert": (lambda n: records.insert(Insert("items", content(n)), GEM),
                       lambda n: floor.insert([content(n)]), ROUNDS, "0.6"),
            "transaction of 100": (hundred, lambda n: floor.insert([content(n)] * 100), ROUNDS // 2, "0.5"),
        }  # fmt: skip
        for name, (mine, theirs, rounds, wanted) in pairs.items():
            tell(name, await interleaved({"store": mine, "floor": theirs}, rounds), wanted)
        mine_ids = [one.id for one in (await records.page(Query("items", limit=1000))).items]
        floor_ids = await floor.names()
        steps: dict[str, tuple[Step, Step, str]] = {
            "get": (lambda n: records.get("items", mine_ids[n]), lambda n: floor.get(floor_ids[n]), "0.6"),
            "page of 20": (lambda _: records.page(PAGE), lambda _: floor.page(), "0.6"),
            "count": (lambda _: records.count(Query("items", OPEN)), lambda _: floor.count(), "0.7"),
        }
        for name, (mine, theirs, wanted) in steps.items():
            tell(name, await interleaved({"store": mine, "floor": theirs}, ROUNDS), wanted)
    await database.close()


async def fill(store: EncryptedStore, count: int, chance: random.Random) -> list[str]:
    """Insert records with random ids; return some of them."""
    kept: list[str] = []
    for start in range(0, count, 500):
        names = [f"{chance.getrandbits(96):024x}" for _ in range(min(500, count - start))]
        writes: list[Write] = [Insert("items", content(start + n), name) for n, name in enumerate(names)]
        await store.records.transact((), writes, GEM)
        kept += names[:1]
    return kept


async def small_and_large(folder: Path, large: int) -> None:
    chance = random.Random(1)
    async with (
        opened(folder / "small", DECLARED, clock=SystemClock()) as small,
        opened(folder / "large", DECLARED, clock=SystemClock()) as big,
    ):
        names = {"small": await fill(small, 10_000, chance)}
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        names["large"] = await fill(big, large, chance)
        stores = {"small": small, "large": big}

        def getting(which: str) -> Step:
            return lambda n: stores[which].records.get("items", chance.choice(names[which]))

        def paging(which: str, count: int) -> Step:
            def query() -> Query:
                since = Condition("due", ">=", chance.randrange(count - 20))
                return Query("items", (*OPEN, since), (("due", "asc"),), limit=20)

            return lambda _: stores[which].records.page(query())

        for name, found in (
            ("get", await interleaved({which: getting(which) for which in stores}, ROUNDS)),
            (
                "page of 20",
                await interleaved({"small": paging("small", 10_000), "large": paging("large", large)}, ROUNDS),
            ),
        ):
            print(f"{name} at {large} records: {found['large'] / found['small']:.2f} of its cost at 10000, at most 1.5 "
                  f"({found['large']:.3f} ms, {found['small']:.3f} ms)")  # fmt: skip
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(
            f"memory after {large} records: {grown / memory:.2f} of that after 10000, at most 1.3 ({grown // 1024} MiB)"
        )


GUEST = """export default async function (input, ctx) {
  const page = await ctx.data.collection('items').where('status', '==', 'open').orderBy('due').limit(20).get()
  return page.items.length
}"""
ECHO = "export default async (input, ctx) => await ctx.storage.kv.get('k')"


class StoreHost(MemoryHost):
    """Answers for `ctx.data` from a store, as a gem's host does."""

    def __init__(self, store: EncryptedStore) -> None:
        super().__init__()
        self._data = GuestData(store, GEM)

    async def answer(self, request: HostRequest) -> HostAnswer:
        return await self._data.answer(request) or await super().answer(request)


async def through_the_guest(folder: Path) -> None:
    """The echo is a call that asks its host for one thing, which is answered from memory."""
    async with (
        opened(folder / "guest store", DECLARED, clock=SystemClock()) as store,
        real_sandbox(folder) as guests,
    ):
        await fill(store, 10_000, random.Random(2))
        gem, host = make_gem(folder, "gem", tool=GUEST, echo=ECHO), StoreHost(store)
        asked = {name: guest_call(gem, {}, module=f"{name}.ts", namespaces=NAMESPACES) for name in ("tool", "echo")}
        found = await interleaved(
            {
                "call": lambda _: guests.call(asked["tool"], host),
                "echo": lambda _: guests.call(asked["echo"], host),
                "service": lambda _: store.records.page(PAGE),
            },
            ROUNDS,
        )
    beyond = (found["call"] - found["echo"]) / found["service"]
    print(f"page of 20 through the guest: the echo plus {beyond:.2f} of the service's call, at most 1.3 "
          f"(call {found['call']:.3f} ms, echo {found['echo']:.3f} ms, service {found['service']:.3f} ms)")  # fmt: skip


async def main(folder: Path, large: int) -> None:
    await against_the_floor(folder)
    await through_the_guest(folder)
    await small_and_large(folder, large)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(main(Path(made), int(sys.argv[1]) if len(sys.argv) > 1 else 200_000))
