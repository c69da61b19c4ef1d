"""Times a call of a gem's tool against its floor, in one run.

    PYTHONPATH=src:tests python tests/bench/bench_gem_call.py

The tool stores one value, so each call ends with a durable record. Cold: a new process, against `deno run` of an empty
module with the same flags and wall plus the same record written by hand. Warm: against an echo over the same transport
plus that record.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from deno import find_deno_bin
from sqlalchemy import Connection, insert

from notochord.adapters.deno.launcher import DenoLauncher
from notochord.adapters.deno.walls import wall_of_this_system
from notochord.core.caller import Cause
from notochord.persistence.database import Database
from notochord.services.data.component import COMPONENT as DATA
from notochord.services.data.tables import CHANGES, KV
from notochord.services.sandbox.ports import GuestOrder
from support.gems import KEY, PackageMaker, manifest, platform, tool
from support.guests import MemoryHost, guest_call, make_gem, real_sandbox

COLD, WARM = 25, 300
STORE = "export default async function (input, ctx) { await ctx.storage.kv.set('k', 'value'); return input }"
ECHO = "export default (input) => input"
Step = Callable[[int], Awaitable[object]]


async def interleaved(steps: dict[str, Step], rounds: int) -> dict[str, float]:
    """Return the median time of each step in milliseconds; the steps take turns, so that load hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in steps}
    for number in range(rounds):
        for name, step in steps.items():
            began = time.perf_counter()
            await step(number)
            times[name].append(1000 * (time.perf_counter() - began))
    return {name: statistics.median(found) for name, found in times.items()}


async def main(folder: Path) -> None:
    database = await Database.open(folder / "floor.db", KEY, (DATA,))

    async def record(number: int) -> None:
        def work(connection: Connection) -> None:
            connection.execute(insert(KV).values(key=f"{number}-{time.perf_counter_ns()}", value="value"))
            columns = dict.fromkeys((column.name for column in CHANGES.columns if column.name != "sequence"), "")
            connection.execute(insert(CHANGES).values({**columns, "at": 0}))

        await database.write(work)

    (folder / "empty").mkdir()
    (folder / "empty" / "main.ts").write_text("")
    launcher = DenoLauncher(deno=Path(find_deno_bin()), program=folder / "empty", wall=wall_of_this_system())
    echo = make_gem(folder, "echo", tool=ECHO)
    echo.resources.mkdir(exist_ok=True)
    package = PackageMaker(folder / "packages").make(
        manifest(tools=[tool(inputSchema={"type": "object"})]), {"tools/greet.ts": STORE}
    )

    async def empty(number: int) -> None:
        process = await launcher.start(GuestOrder(echo.code, echo.resources, folder / "state"))
        await process.wait()

    async with real_sandbox(folder) as guests, platform(folder / "org", guests=guests) as notochord:
        await notochord.service.install(package)

        async def call(scope: str) -> None:
            await notochord.service.call("greeter", "greet", {"a": 1}, folder, Cause(scope))

        await call("first")
        cold = await interleaved({"call": lambda number: call(f"cold{number}"), "deno": empty, "record": record}, COLD)
        host = MemoryHost()
        await call("warm")
        await guests.call(guest_call(echo, {"a": 1}), host)
        warm = await interleaved(
            {"call": lambda _: call("warm"), "echo": lambda _: guests.call(guest_call(echo, {"a": 1}), host),
             "record": record}, WARM
        )  # fmt: skip
    await database.close()
    for name, times, floor in (("cold", cold, cold["deno"]), ("warm", warm, warm["echo"])):
        ratio = times["call"] / (floor + times["record"])
        shown = ", ".join(f"{part} {value:.2f} ms" for part, value in times.items())
        print(f"{name}: {ratio:.2f} of its floor ({shown})")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(main(Path(made)))
