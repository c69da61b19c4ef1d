"""Times what issues of speed the gem platform has, each against its floor in the same run, taking turns.

    PYTHONPATH=src:tests python tests/bench/bench_gem_platform.py [PART …]

Parts: warm (one call with one `kv.get`, 1,000 of them in one call, a page of 20 records), files (20 MB), many (ten gems
at once, and one that floods), integrity (500 files), package (5,000 files), sql.
"""

import asyncio
import io
import os
import statistics
import sys
import tempfile
import time
import zipfile
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from notochord.core.caller import Actor, Caller, Cause
from notochord.services.data.api import Insert, Query
from notochord.services.gems.integrity import Inspection
from notochord.services.gems.packing import pack
from support.data import table
from support.gems import OFFICIAL, PackageMaker, Platform, draft, manifest, platform, tool
from support.guests import MemoryHost, guest_call, make_gem, real_sandbox
from support.raw_databases import Raw, sql

MIB_20 = 20 * 1024 * 1024
GEM = Caller(Actor.GEM, "greeter", Cause("talk"))
TOOL = """export default async function (input, ctx) {
  if (input.page) return (await ctx.data.collection('items').orderBy('title').limit(20).get()).items.length;
  if (input.sql) return (await ctx.storage.sql.query('SELECT 1')).length;
  if (input.read) return (await ctx.files.read('workspace:big.txt')).length;
  if (input.write) { await ctx.files.write('workspace:copy.txt', 'x'.repeat(input.write)); return 0; }
  for (let count = 0; count < input.times; count++) await ctx.storage.kv.get('k');
  return input;
}"""
ASKING = "export default async function (input, ctx) { return await ctx.storage.kv.get('k'); }"
Step = Callable[[], Awaitable[object]]


async def interleaved(steps: dict[str, Step], rounds: int) -> dict[str, float]:
    """Return the median time of each step in milliseconds; the steps take turns, so that load hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds + 1):
        for name, step in steps.items():
            began = time.perf_counter()
            await step()
            times[name].append(1000 * (time.perf_counter() - began))
    return {name: statistics.median(found[1:]) for name, found in times.items()}


def say(name: str, ratio: float, limit: float, times: dict[str, float]) -> None:
    shown = ", ".join(f"{part} {value:.3f} ms" for part, value in times.items())
    print(f"{name}: {ratio:.2f} (at most {limit:g}; {shown})", flush=True)


def package(packages: PackageMaker, identifier: str = "greeter") -> Path:
    declared = table({"title": {"type": "string"}}, indexes=[["title"]])
    schema = {"type": "object"}
    return packages.make(
        manifest(id=identifier, data=declared, tools=[tool(inputSchema=schema)]), {"tools/greet.ts": TOOL}
    )


async def warm(made: Platform, guests: Any, folder: Path) -> None:
    echo, host = make_gem(folder, "echo", tool="export default (input) => input"), MemoryHost()
    asking = make_gem(folder, "asking", tool=ASKING)
    store = await made.service.data("greeter")
    await store.kv_set("k", "value", GEM)
    for number in range(200):
        await store.records.insert(Insert("items", {"title": f"title {number:04}"}), GEM)
    cause, page = Cause("talk"), Query("items", order=(("title", "asc"),), limit=20)

    def call(**given: Any) -> Step:
        return lambda: made.service.call("greeter", "greet", given, folder, cause)

    once = {"call": call(times=1), "echo": lambda: guests.call(guest_call(echo, {"times": 1}), host),
            "get": lambda: store.kv_get("k"), "nothing": call(times=0),
            "asked": lambda: guests.call(guest_call(asking), host)}  # fmt: skip
    times = await interleaved(once, 300)
    say("warm call with one kv.get, beyond the echo, of the service call",
        (times["call"] - times["echo"]) / times["get"], 1.3, times)  # fmt: skip
    say("  the same in all, of the echo plus 1.3 service calls",
        times["call"] / (times["echo"] + 1.3 * times["get"]), 1, times)  # fmt: skip
    floor = (times["asked"] + times["get"]) / (times["echo"] + 1.3 * times["get"])
    print(f"  a guest that asks a host in memory once, plus a service call, of the same: {floor:.2f} (the floor)")
    print(f"  a call with one kv.get beyond one that asks nothing, of the service call: "
          f"{(times['call'] - times['nothing']) / times['get']:.2f}")  # fmt: skip
    many = await interleaved({"call": call(times=1000), "one": call(times=1)}, 15)
    say("1,000 sequential requests in one call, of 1,000 calls with one", many["call"] / 1000 / many["one"], 1.3, many)

    async def thousand() -> None:
        for _ in range(1000):
            await store.kv_get("k")

    floors = await interleaved({"call": call(times=1000), "gets": thousand}, 15)
    say("  the same, of 1,000 service calls", floors["call"] / floors["gets"], 1.3, floors)
    paged = await interleaved({"call": call(page=True), "echo": once["echo"],
                               "page": lambda: store.records.page(page)}, 200)  # fmt: skip
    say("a page of 20, of the echo plus 1.3 service calls",
        paged["call"] / (paged["echo"] + 1.3 * paged["page"]), 1, paged)  # fmt: skip


async def files(made: Platform, folder: Path) -> None:
    content = b"x" * MIB_20
    (folder / "big.txt").write_bytes(content)
    cause = Cause("talk")

    async def copy() -> None:
        def work() -> None:
            with (folder / "plain.txt").open("wb") as file:
                file.write((folder / "big.txt").read_bytes())
                file.flush()
                os.fsync(file.fileno())

        await asyncio.to_thread(work)

    def call(**given: Any) -> Step:
        return lambda: made.service.call("greeter", "greet", given, folder, cause)

    times = await interleaved({"read": call(read=1), "write": call(write=MIB_20), "copy": copy}, 15)
    say("20 MB read through ctx.files, of a durable plain copy", times["read"] / times["copy"], 3, times)
    say("20 MB written through ctx.files, of a durable plain copy", times["write"] / times["copy"], 3, times)


async def many(made: Platform, packages: PackageMaker, folder: Path) -> None:
    for number in range(10):
        await made.service.install(package(packages, f"gem{number}"))
    cause = Cause("talk")

    async def calls(gem: str, count: int, taken: list[float], gets: int = 1) -> None:
        for _ in range(count):
            began = time.perf_counter()
            await made.service.call(gem, "greet", {"times": gets}, folder, cause)
            taken.append(time.perf_counter() - began)

    for number in range(10):
        await calls(f"gem{number}", 3, [])
    rates: dict[str, list[float]] = {"one": [], "ten": []}
    quiet: list[float] = []
    loud: list[float] = []
    for _ in range(7):
        began = time.perf_counter()
        await calls("gem0", 200, [])
        rates["one"].append(200 / (time.perf_counter() - began))
        began = time.perf_counter()
        await asyncio.gather(*(calls(f"gem{number}", 40, []) for number in range(10)))
        rates["ten"].append(400 / (time.perf_counter() - began))
        await asyncio.gather(*(calls(f"gem{number}", 40, quiet) for number in range(1, 10)))
        flood = asyncio.create_task(calls("gem0", 1, [], 100_000))
        await asyncio.gather(*(calls(f"gem{number}", 40, loud) for number in range(1, 10)))
        flood.cancel()
        await asyncio.gather(flood, return_exceptions=True)
    one, ten = statistics.median(rates["one"]), statistics.median(rates["ten"])
    print(f"ten gems at once: {ten / one:.2f} of one gem's throughput (at least 0.8; {one:.0f} and {ten:.0f} calls/s)")
    before, after = (1000 * statistics.quantiles(times, n=100)[98] for times in (quiet, loud))
    print(f"a gem that floods: the others' p99 {after / before:.2f} times (at most 3; {before:.1f} and {after:.1f} ms)")


async def integrity(packages: PackageMaker, folder: Path) -> None:
    contents = {f"lib/d{number % 20}/f{number}.ts": f"export const a = {number};" for number in range(500)}
    async with platform(folder / "integrity") as made:
        await made.service.install(packages.make(manifest(), {"tools/greet.ts": "export default 1", **contents}))
        gem = made.service._installed("greeter")
        inspection = Inspection(gem.folder, gem.record.files)
        await asyncio.sleep(0.3)
        inspection.check()
        paths = [str(gem.folder / path) for path in gem.record.files]

        async def check() -> None:
            inspection.check()

        async def lstat() -> None:
            for path in paths:
                os.lstat(path)

        times = await interleaved({"check": check, "lstat": lstat}, 200)
        say("integrity check of an unchanged gem of 500 files, of one lstat pass",
            times["check"] / times["lstat"], 1.5, times)  # fmt: skip


async def large_package(folder: Path) -> None:
    source = folder / "large"
    contents = {f"lib/d{number % 50}/f{number}.ts": f"export const a = {number};\n" * 20 for number in range(5_000)}
    draft(source, manifest(), {"tools/greet.ts": "export default () => 1;", **contents})
    packed = folder / "large.gem"
    packed.write_bytes(pack(source, key=OFFICIAL))
    times: dict[str, list[float]] = {name: [] for name in ("pack", "zip", "install", "unzip", "remove", "delete")}

    def timed(name: str, began: float) -> None:
        times[name].append(1000 * (time.perf_counter() - began))

    def zipped() -> None:
        with zipfile.ZipFile(io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(source.rglob("*")):
                if path.is_file():
                    content = path.read_bytes()
                    sha256(content).hexdigest()
                    archive.writestr(str(path.relative_to(source)), content)

    def unzipped(place: Path) -> None:
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(place)
            for name in archive.namelist():
                sha256((place / name).read_bytes()).hexdigest()
        os.sync()  # what an installation acknowledges is on the disk

    def deleted(place: Path) -> None:
        import shutil

        shutil.rmtree(place)

    async with platform(folder / "package") as made:
        for number in range(4):
            place = folder / f"plain{number}"
            for name, step in (("pack", lambda: pack(source, key=OFFICIAL)), ("zip", zipped)):
                began = time.perf_counter()
                await asyncio.to_thread(step)
                timed(name, began)
            began = time.perf_counter()
            await made.service.install(packed)
            timed("install", began)
            began = time.perf_counter()
            await asyncio.to_thread(unzipped, place)
            timed("unzip", began)
            began = time.perf_counter()
            await made.service.remove("greeter")
            timed("remove", began)
            began = time.perf_counter()
            await asyncio.to_thread(deleted, place)
            timed("delete", began)
    medians = {name: statistics.median(found) for name, found in times.items()}
    for name, floor in (("pack", "zip"), ("install", "unzip"), ("remove", "delete")):
        say(f"{name} of a gem of 5,000 files, of {floor} with hashing", medians[name] / medians[floor], 2,
            {name: medians[name], floor: medians[floor]})  # fmt: skip


async def raw(made: Platform, guests: Any, folder: Path) -> None:
    echo, host = make_gem(folder, "echo2", tool="export default (input) => input"), MemoryHost()
    gem = made.service._installed("greeter")
    from notochord.services.gems.calls import raw_source_of

    owner = raw_source_of(gem.record, made.service._store_folder("greeter"), gem.folder)
    direct = Raw(made.raw, owner)
    steps: dict[str, Step] = {
        "call": lambda: made.service.call("greeter", "greet", {"sql": True}, folder, Cause("talk")),
        "echo": lambda: guests.call(guest_call(echo, {}), host),
        "query": lambda: direct.service.query(owner, sql("SELECT 1")),
    }
    times = await interleaved(steps, 200)
    say("a call with one SQL query, of the echo plus 1.3 service calls",
        times["call"] / (times["echo"] + 1.3 * times["query"]), 1, times)  # fmt: skip


async def main(parts: set[str], folder: Path) -> None:
    packages = PackageMaker(folder / "packages")
    async with real_sandbox(folder) as guests, platform(folder / "org", guests=guests) as made:
        await made.service.install(package(packages))
        if "warm" in parts:
            await warm(made, guests, folder)
        if "sql" in parts:
            await raw(made, guests, folder)
        if "files" in parts:
            await files(made, folder)
        if "many" in parts:
            await many(made, packages, folder)
    if "integrity" in parts:
        await integrity(packages, folder)
    if "package" in parts:
        await large_package(folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        chosen = set(sys.argv[1:]) or {"warm", "sql", "files", "many", "integrity", "package"}
        asyncio.run(main(chosen, Path(place).resolve()))
