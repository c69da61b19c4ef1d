"""Cold and warm calls of a tool against their floor: `python tests/bench/bench_guest.py [ROUNDS]`.

Cold: a first call, against the runtime running an empty module with the same flags behind the same wall. Warm: a call
in a running guest, against an echo that a program of a few lines gives over the same pipes.
"""

import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from deno import find_deno_bin

from notochord.adapters.deno.launcher import DenoLauncher
from notochord.adapters.deno.walls import wall_of_this_system
from notochord.core.clock import SystemClock
from notochord.core.paths import shipped
from notochord.services.sandbox.api import GemInstance
from notochord.services.sandbox.frames import encode_frame, read_frame
from notochord.services.sandbox.limits import GuestLimits
from notochord.services.sandbox.ports import GuestOrder
from notochord.services.sandbox.service import GuestSandbox
from support.guests import MemoryHost, guest_call, make_gem

ECHO = """
const input = new Uint8Array(65536);
for (;;) {
  const count = await Deno.stdin.read(input);
  if (count === null) break;
  for (let from = 0; from < count;) from += Deno.stdout.writeSync(input.subarray(from, count));
}
"""
WARM_CALLS = 300


def launcher_for(program: Path) -> DenoLauncher:
    return DenoLauncher(deno=Path(find_deno_bin()), program=program, wall=wall_of_this_system())


async def seconds(work: Callable[[], Awaitable[object]]) -> float:
    start = time.perf_counter()
    await work()
    return time.perf_counter() - start


async def cold_floor(order: GuestOrder, program: Path) -> None:
    process = await launcher_for(program).start(order)
    await process.wait()


async def cold_call(gem: GemInstance, folder: Path) -> None:
    sandbox = GuestSandbox(launcher=launcher_for(shipped("sandbox")), clock=SystemClock(), state=folder)
    await sandbox.call(guest_call(gem, {"a": 1}), MemoryHost())
    await sandbox.close()


async def warm(gem: GemInstance, folder: Path, order: GuestOrder, echo: Path) -> tuple[float, float]:
    sandbox = GuestSandbox(launcher=launcher_for(shipped("sandbox")), clock=SystemClock(), state=folder)
    host, call, limits = MemoryHost(), guest_call(gem, {"a": 1}), GuestLimits()
    await sandbox.call(call, host)
    process = await launcher_for(echo).start(order)
    frame = encode_frame({"type": "call", "input": {"a": 1}})

    async def ping() -> None:
        process.write(frame)
        await read_frame(process.read, limits)

    await ping()
    calls, pings = [], []
    for _ in range(WARM_CALLS):
        calls.append(await seconds(lambda: sandbox.call(call, host)))
        pings.append(await seconds(ping))
    process.kill()
    await process.wait()
    await sandbox.close()
    return statistics.median(calls), statistics.median(pings)


async def measure(rounds: int, root: Path) -> None:
    gem = make_gem(root, tool="export default (input) => input;")
    gem.resources.mkdir()
    for name, source in (("empty", ""), ("echo", ECHO)):
        (root / name).mkdir()
        (root / name / "main.ts").write_text(source)
    order = GuestOrder(gem.code, gem.resources, root / "floor")
    cold, floor = [], []
    for _ in range(rounds + 1):
        floor.append(await seconds(lambda: cold_floor(order, root / "empty")))
        cold.append(await seconds(lambda: cold_call(gem, root / "state")))
    cold_median, floor_median = statistics.median(cold[1:]), statistics.median(floor[1:])
    warm_median, echo_median = await warm(gem, root / "state", order, root / "echo")
    print(f"first call ever {cold[0] * 1e3:.1f} ms (nothing compiled yet)")
    print(
        f"cold {cold_median * 1e3:.1f} ms, empty module {floor_median * 1e3:.1f} ms: {cold_median / floor_median:.2f} x"
    )
    print(f"warm {warm_median * 1e3:.3f} ms, echo {echo_median * 1e3:.3f} ms: {warm_median / echo_median:.2f} x")


def main() -> None:
    root = Path(tempfile.mkdtemp()).resolve()
    try:
        asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 15, root))
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
