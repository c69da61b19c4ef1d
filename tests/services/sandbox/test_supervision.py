"""The sandbox believes nothing that a guest says, and ends guests that break the rules or will not stop."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.sandbox.api import GemInstance, HostAnswer, HostRequest
from notochord.services.sandbox.limits import GuestLimits
from notochord.services.sandbox.service import GuestSandbox
from support.clocks import HandClock
from support.guests import MemoryHost, guest_call, make_gem
from support.scripted_guests import ScriptedLauncher, ScriptedProcess

LIMITS = GuestLimits(noise_per_second=50, outstanding=8, idle_guests=2)


class Bench:
    """A sandbox with scripted guests, a clock moved by hand, and calls under way."""

    def __init__(self, folder: Path) -> None:
        self.clock = HandClock()
        self.launcher = ScriptedLauncher()
        self.host = MemoryHost()
        self.folder = folder
        self.gem = make_gem(folder, tool="")
        self.sandbox = GuestSandbox(launcher=self.launcher, clock=self.clock, state=folder / "guests", limits=LIMITS)
        self._tasks: list[asyncio.Task[Json]] = []

    def call(self, value: Json = None, *, gem: GemInstance | None = None, scope: str = "chat-1",
             seconds: float = 0.0, namespaces: tuple[str, ...] = ("storage.kv",)) -> asyncio.Task[Json]:  # fmt: skip
        call = guest_call(gem or self.gem, value, scope=scope, seconds=seconds, namespaces=namespaces)
        task = asyncio.get_running_loop().create_task(self.sandbox.call(call, self.host))
        self._tasks.append(task)
        return task

    async def started(self, **options: str) -> tuple[asyncio.Task[Json], ScriptedProcess]:
        """Start a call in a new guest and return it with the guest once the guest was told of it."""
        number = len(self.launcher.processes)
        task = self.call(**options)  # type: ignore[arg-type]
        process = await self.launcher.process(number)
        assert (await process.next())["type"] == "call"
        return task, process

    async def close(self) -> None:
        await self.sandbox.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    await bench.close()


async def failure(task: asyncio.Task[Json]) -> Code:
    with pytest.raises(NotochordError) as caught:
        await task
    return caught.value.code


def ask(call: int, number: int = 1, target: str = "storage.kv.get") -> dict[str, Json]:
    return {"type": "request", "call": call, "id": number, "target": target, "arguments": {"key": "k"},
            "attached": False}  # fmt: skip


def returned(process: ScriptedProcess, call: int, content: bytes) -> None:
    process.send({"type": "returned", "call": call}, content)


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_calls_of_one_context_share_a_process(bench: Bench) -> None:
    first, process = await bench.started()
    second = bench.call(2)
    told = await process.next()
    returned(process, 2, b"2")
    returned(process, 1, b"1")
    assert (told["input"], await first, await second) == (2, 1, 2)
    assert len(bench.launcher.processes) == 1


@pytest.mark.req("TOOL-011", "GEM-014", "DATA-489")
async def test_gems_and_scopes_that_differ_never_share_a_process(bench: Bench) -> None:
    await bench.started()
    await bench.started(scope="chat-2")
    other = make_gem(bench.folder, "other", tool="")
    _ = bench.call(gem=other)
    await bench.launcher.process(2)
    assert len(bench.launcher.processes) == 3
    assert len({order.state for order in bench.launcher.orders}) == 2


@pytest.mark.parametrize(
    "content",
    [b"\xff" * 8, b"\x02\0\0\0\0\0\0\0[]", b"\x02\0\0\0\0\0\0\0{}", b"plain text, not a frame at all"],
    ids=["huge", "array", "empty object", "console.log"],
)
async def test_what_is_no_frame_ends_the_process(bench: Bench, content: bytes) -> None:
    task, process = await bench.started()
    process.send_bytes(content)
    assert await failure(task) is Code.GUEST_PROTOCOL
    assert process.killed


async def test_a_request_of_very_many_parts_ends_the_process(bench: Bench) -> None:
    """Empty lists of two characters each take fifty times as much memory here, for each request that waits."""
    many: list[Json] = [[]] * 3_000
    wide: dict[str, Json] = {str(number): "" for number in range(3_000)}
    for arguments in (many, wide):
        task, process = await bench.started()
        asked = ask(1)
        asked["arguments"] = arguments
        process.send(asked)
        assert await failure(task) is Code.GUEST_PROTOCOL
        assert process.killed


async def test_the_next_call_after_an_end_starts_a_new_process(bench: Bench) -> None:
    task, process = await bench.started()
    process.send_bytes(b"\xff" * 8)
    await failure(task)
    again, process = await bench.started()
    returned(process, 1, b"true")
    assert await again is True


async def test_an_answer_to_a_call_never_made_is_ignored_but_not_without_end(bench: Bench) -> None:
    task, process = await bench.started()
    returned(process, 77, b'"forged"')
    await settle()
    assert not task.done()
    for _ in range(LIMITS.noise_per_second):
        returned(process, 77, b'"forged"')
    assert await failure(task) is Code.GUEST_PROTOCOL


async def test_a_request_for_a_foreign_or_ended_call_is_refused(bench: Bench) -> None:
    first, process = await bench.started()
    _ = bench.call()
    assert (await process.next())["type"] == "call"
    returned(process, 1, b"null")
    await first
    for call in (1, 99):
        process.send(ask(call))
        told = await process.next()
        assert isinstance(told["error"], dict)
        assert told["error"]["code"] == "E_CANCELLED"
    assert bench.host.requests == []


@pytest.mark.req("TOOL-010")
@pytest.mark.parametrize("target", ["http.fetch", "files.read", "storage.sql.run", "storage.kv", "", "storage"])
async def test_a_namespace_that_was_not_opened_is_refused_on_this_side(bench: Bench, target: str) -> None:
    _, process = await bench.started()
    process.send(ask(1, target=target))
    told = await process.next()
    assert isinstance(told["error"], dict)
    assert told["error"]["code"] == "E_PERM_DENIED"
    assert bench.host.requests == []


async def test_more_requests_at_once_than_allowed_end_the_process(bench: Bench) -> None:
    task, process = await bench.started()
    process.reads_input.clear()
    for number in range(LIMITS.outstanding + 1):
        process.send(ask(1, number))
    assert await failure(task) is Code.GUEST_PROTOCOL


async def test_requests_for_calls_never_made_count_as_well(bench: Bench) -> None:
    task, process = await bench.started()
    process.reads_input.clear()
    for number in range(LIMITS.outstanding + 1):
        process.send(ask(99, number))
    assert await failure(task) is Code.GUEST_PROTOCOL


async def test_a_flood_of_log_lines_ends_the_process(bench: Bench) -> None:
    task, process = await bench.started()
    for _ in range(LIMITS.noise_per_second + 1):
        process.send({"type": "log", "call": 1, "text": "x"})
    assert await failure(task) is Code.GUEST_PROTOCOL
    assert len(bench.host.lines) == LIMITS.noise_per_second


async def test_a_guest_that_reads_nothing_is_still_heard(bench: Bench) -> None:
    task, process = await bench.started()
    process.reads_input.clear()
    process.send(ask(1))
    process.send({"type": "log", "call": 1, "text": "still here"})
    await settle()
    assert bench.host.lines == ["still here"]
    returned(process, 1, b"1")
    process.reads_input.set()
    assert await task == 1


@pytest.mark.req("TOOL-031")
async def test_a_forged_value_over_the_limit_is_refused_on_this_side(bench: Bench) -> None:
    task, process = await bench.started()
    returned(process, 1, b'"' + b"x" * 1_048_575 + b'"')
    assert await failure(task) is Code.PAYLOAD_TOO_LARGE


@pytest.mark.parametrize("content", [b"", b"{", b'{"a":1,"a":2}', b"[" * 500 + b"]" * 500, b"\xff"])
async def test_a_value_that_is_no_json_ends_the_process(bench: Bench, content: bytes) -> None:
    task, process = await bench.started()
    returned(process, 1, content)
    assert await failure(task) is Code.GUEST_PROTOCOL


@pytest.mark.parametrize(
    ("status", "stderr", "code"),
    [
        (-5, "Fatal JavaScript out of memory: Reached heap limit", Code.GUEST_MEMORY),
        (-6, "memory allocation of 1073741824 bytes failed", Code.GUEST_MEMORY),
        (-11, "", Code.GUEST_CRASHED),
        (0, "", Code.GUEST_CRASHED),
        (3, "", Code.GUEST_CRASHED),
    ],
)
async def test_how_a_process_ended_is_told(bench: Bench, status: int, stderr: str, code: Code) -> None:
    task, process = await bench.started()
    process.exit(status, stderr)
    assert await failure(task) is code


async def test_a_flood_of_errors_is_told_as_what_it_is(bench: Bench) -> None:
    task, process = await bench.started()
    process.exit(-9, flooded=True)
    assert await failure(task) is Code.GUEST_PROTOCOL


async def test_a_process_that_ends_before_it_is_ready_did_not_start(bench: Bench) -> None:
    bench.launcher = ScriptedLauncher(lambda process: process.exit(1, "no such file"))
    bench.sandbox = GuestSandbox(launcher=bench.launcher, clock=bench.clock, state=bench.folder, limits=LIMITS)
    assert await failure(bench.call()) is Code.GUEST_START


async def test_a_process_that_is_never_ready_is_killed(bench: Bench) -> None:
    bench.launcher = ScriptedLauncher(lambda process: None)
    bench.sandbox = GuestSandbox(launcher=bench.launcher, clock=bench.clock, state=bench.folder, limits=LIMITS)
    task = bench.call()
    process = await bench.launcher.process()
    await settle()
    bench.clock.advance(LIMITS.start)
    assert await failure(task) is Code.GUEST_START
    assert process.killed


@pytest.mark.req("MAN-040")
async def test_a_call_that_will_not_stop_takes_its_process_along(bench: Bench) -> None:
    stopped, process = await bench.started()
    other = bench.call()
    await process.next()
    stopped.cancel()
    assert await process.next() == {"type": "cancel", "call": 1}
    await settle()
    bench.clock.advance(LIMITS.grace)
    assert await failure(other) is Code.GUEST_CRASHED
    assert process.killed


async def test_a_call_that_stops_when_asked_leaves_the_others_running(bench: Bench) -> None:
    stopped, process = await bench.started()
    other = bench.call()
    await process.next()
    stopped.cancel()
    await process.next()
    process.send({"type": "thrown", "call": 1, "name": "Error", "message": "E_CANCELLED", "tooLarge": False})
    await settle()
    bench.clock.advance(LIMITS.grace)
    await settle()
    assert not process.killed
    returned(process, 2, b"2")
    assert await other == 2
    await settle()
    assert process.killed, "what the stopped call left behind would run on"


async def test_a_process_with_a_stopped_call_gets_no_new_ones(bench: Bench) -> None:
    stopped, _ = await bench.started()
    stopped.cancel()
    await settle()
    await bench.started()
    assert len(bench.launcher.processes) == 2


async def test_what_a_stopped_call_asks_for_is_not_done(bench: Bench) -> None:
    stopped, process = await bench.started()
    stopped.cancel()
    await process.next()
    process.send(ask(1))
    await process.next()
    assert bench.host.requests == []


async def test_a_request_under_way_ends_with_its_call(bench: Bench) -> None:
    ended = asyncio.Event()

    class Slow(MemoryHost):
        async def answer(self, request: HostRequest) -> HostAnswer:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            raise AssertionError

    bench.host = Slow()
    stopped, process = await bench.started()
    process.send(ask(1))
    await settle()
    stopped.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopped
    assert ended.is_set()


async def test_a_request_that_was_made_before_the_return_is_carried_out(bench: Bench) -> None:
    release = asyncio.Event()

    class Slow(MemoryHost):
        async def answer(self, request: HostRequest) -> HostAnswer:
            await release.wait()
            return await super().answer(request)

    bench.host = Slow()
    task, process = await bench.started()
    process.send(ask(1))
    await settle()
    returned(process, 1, b"1")
    await settle()
    assert not task.done()
    release.set()
    assert await task == 1
    assert len(bench.host.requests) == 1


async def test_a_call_with_a_limit_times_out(bench: Bench) -> None:
    task = bench.call(seconds=5)
    process = await bench.launcher.process()
    await process.next()
    await settle()
    bench.clock.advance(5)
    assert await failure(task) is Code.TIMEOUT
    assert await process.next() == {"type": "cancel", "call": 1}


@pytest.mark.req("MAN-039")
async def test_a_call_without_a_limit_runs_for_days(bench: Bench) -> None:
    task, process = await bench.started()
    await settle()
    for _ in range(3):
        bench.clock.advance(86_400)
        await settle()
    assert not process.killed
    returned(process, 1, b"1")
    assert await task == 1


@pytest.mark.req("TOOL-013")
async def test_a_guest_that_nobody_uses_is_ended_and_the_next_call_starts_another(bench: Bench) -> None:
    task, process = await bench.started()
    returned(process, 1, b"1")
    await task
    await settle()
    bench.clock.advance(LIMITS.idle - 1)
    await settle()
    assert not process.killed
    bench.clock.advance(LIMITS.idle)
    await settle()
    assert process.killed
    again, process = await bench.started()
    returned(process, 1, b"2")
    assert await again == 2


async def test_only_so_many_idle_guests_are_kept(bench: Bench) -> None:
    for scope in ("a", "b", "c", "d"):
        task, process = await bench.started(scope=scope)
        bench.clock.advance(1)
        returned(process, 1, b"1")
        await task
    await bench.started(scope="e")
    await settle()
    assert [process.killed for process in bench.launcher.processes] == [True, True, False, False, False]


async def test_a_guest_that_is_about_to_be_ended_gets_no_call(bench: Bench) -> None:
    for scope in ("a", "b", "c"):
        task, process = await bench.started(scope=scope)
        bench.clock.advance(1)
        returned(process, 1, b"1")
        await task
    again = bench.call(scope="a")  # in the moment in which the first one is being dropped
    process = await asyncio.wait_for(bench.launcher.process(3), 5)
    assert (await process.next())["type"] == "call"
    returned(process, 1, b"2")
    assert await again == 2


async def test_stopping_an_instance_ends_all_its_processes_and_no_other(bench: Bench) -> None:
    first, one = await bench.started()
    second, two = await bench.started(scope="chat-2")
    other = make_gem(bench.folder, "other", tool="")
    _ = bench.call(gem=other)
    kept = await bench.launcher.process(2)
    await bench.sandbox.stop(bench.gem.id)
    assert await failure(first) is Code.CANCELLED
    assert await failure(second) is Code.CANCELLED
    assert (one.killed, two.killed, kept.killed) == (True, True, False)


@pytest.mark.req("TOOL-014", "TOOL-015")
async def test_closing_interrupts_what_runs_and_nothing_starts_after_it(bench: Bench) -> None:
    task, process = await bench.started()
    await bench.sandbox.close()
    assert await failure(task) is Code.CANCELLED
    assert process.killed
    assert await failure(bench.call()) is Code.CANCELLED


async def test_a_mistake_in_the_host_reaches_the_guest_as_an_error(bench: Bench) -> None:
    class Broken(MemoryHost):
        async def answer(self, request: HostRequest) -> HostAnswer:
            raise RuntimeError("secret detail")

    bench.host = Broken()
    _, process = await bench.started()
    process.send(ask(1))
    told = await process.next()
    assert told["error"] == {"code": "E_INTERNAL", "message": "E_INTERNAL: the program failed to answer"}


@pytest.mark.parametrize("module", ["../other/tool.ts", "/etc/passwd", "a/../../b.ts", "..\\b.ts", "", "."])
async def test_a_module_outside_the_gem_is_refused_before_start(bench: Bench, module: str) -> None:
    with pytest.raises(NotochordError) as caught:
        await bench.sandbox.call(guest_call(bench.gem, module=module), bench.host)
    assert caught.value.code is Code.PATH_OUTSIDE
    assert bench.launcher.processes == []


async def test_an_error_does_not_tell_where_the_gem_lies(bench: Bench) -> None:
    task, process = await bench.started()
    url = bench.gem.code.as_uri()
    process.send({"type": "thrown", "call": 1, "name": "TypeError", "message": f"Module not found \"{url}/a.ts\"",
                  "tooLarge": False})  # fmt: skip
    with pytest.raises(NotochordError) as caught:
        await task
    assert caught.value.detail == 'TypeError: Module not found "a.ts"'
    assert caught.value.parameters == {"message": caught.value.detail}


@pytest.mark.parametrize("place", ["code", "resources"])
async def test_a_link_in_a_folder_of_the_gem_is_refused_at_each_start(bench: Bench, place: str) -> None:
    folder = bench.gem.code if place == "code" else bench.gem.resources
    folder.mkdir(exist_ok=True)
    (folder / "link").symlink_to("/etc/passwd")
    assert await failure(bench.call()) is Code.GUEST_START
    assert bench.launcher.processes == []
    (folder / "link").unlink()
    task, process = await bench.started()
    returned(process, 1, b"1")
    assert await task == 1
