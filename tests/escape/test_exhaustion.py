"""A tool that takes all it can get is stopped, told apart, and hurts nobody else."""

import asyncio
from pathlib import Path

import pytest

from escape.arena import program_log
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.sandbox.api import GemInstance
from notochord.services.sandbox.limits import GuestLimits
from notochord.services.sandbox.service import GuestSandbox
from support.guests import MemoryHost, guest_call, make_gem, real_sandbox

FINE = "export default () => 'fine';"


async def outcome(sandbox: GuestSandbox, gem: GemInstance, host: MemoryHost | None = None) -> Json:
    """Return the call's value, or its error's code."""
    try:
        return await sandbox.call(guest_call(gem, seconds=60), host or MemoryHost())
    except NotochordError as error:
        return str(error.code)


EXHAUST = {
    "heap": ("const all = []; for (;;) all.push(new Array(10_000).fill(1.5));", {Code.GUEST_MEMORY}),
    "buffers": ("const all = []; for (;;) all.push(new Uint8Array(1 << 26).fill(1));", {Code.TOOL_FAILED}),
    "text": ("return 'x'.repeat(400_000_000).split('').length;", {Code.GUEST_MEMORY, Code.GUEST_CRASHED}),
    "stack": ("const f = () => f(); return f();", {Code.TOOL_FAILED}),
    "wasm memory": (
        "const all = []; for (;;) { const m = new WebAssembly.Memory({ initial: 4096 }); all.push(m); "
        "new Uint8Array(m.buffer).fill(1); }",
        {Code.TOOL_FAILED, Code.GUEST_MEMORY, Code.GUEST_CRASHED},
    ),
    "result": ("return 'x'.repeat(50_000_000);", {Code.PAYLOAD_TOO_LARGE}),
    "stdout": (
        "const { core } = Deno[Deno.internal]; for (;;) core.print('x'.repeat(10_000));", {Code.GUEST_PROTOCOL},
    ),
    "stdout through node": (
        "const fs = await import('node:fs'); for (;;) fs.writeSync(1, 'x'.repeat(10_000));", {Code.GUEST_PROTOCOL},
    ),
    "stderr": ("for (;;) Deno.stderr.writeSync(new Uint8Array(65_536));", {Code.GUEST_PROTOCOL}),
    "exit": ("Deno.exit(0);", {Code.GUEST_CRASHED}),
    "abort": ("(await import('node:process')).abort();", {Code.GUEST_CRASHED}),
    "read pipe": ("const { core } = Deno[Deno.internal]; await core.read(0, new Uint8Array(9)); return 1;", None),
}  # fmt: skip


@pytest.mark.parametrize("name", EXHAUST)
async def test_a_tool_that_takes_all_is_told_apart_and_others_run_on(tmp_path: Path, name: str) -> None:
    body, codes = EXHAUST[name]
    gem = make_gem(tmp_path, tool=f"export default async () => {{ {body} }};")
    other = make_gem(tmp_path, "other", tool=FINE)
    with program_log() as log:
        async with real_sandbox(tmp_path) as sandbox:
            assert await outcome(sandbox, other) == "fine"
            log.taken()
            first = outcome(sandbox, gem) if codes else asyncio.wait_for(outcome(sandbox, gem), 1)
            try:
                found = await first
            except TimeoutError:  # it waits for input that never comes
                found = None
            if codes:
                assert found in {str(code) for code in codes}
                assert found in log.taken() or found == Code.TOOL_FAILED
            assert await outcome(sandbox, other) == "fine"


async def test_after_its_process_died_a_gem_is_called_again_as_if_nothing_was(tmp_path: Path) -> None:
    gem = make_gem(tmp_path, tool="export default (input) => input === 'die' ? Deno.exit(3) : 'fine';")
    async with real_sandbox(tmp_path) as sandbox:
        for _ in range(2):
            with pytest.raises(NotochordError) as caught:
                await sandbox.call(guest_call(gem, "die"), MemoryHost())
            assert caught.value.code is Code.GUEST_CRASHED
            assert "status 3" in caught.value.detail
            assert await sandbox.call(guest_call(gem), MemoryHost()) == "fine"


LOOPS = {
    "closed pipe": "Deno[Deno.internal].core.close(1); await new Promise(() => {});",
    "loop": "for (;;);",
    "promises": "for (;;) await null;",
    "regular expression": "/^(a+)+$/.test('a'.repeat(50) + 'b');",
    "waiting": "await new Promise(() => setInterval(() => {}, 1000));",
    "ignored signal": "Deno.addSignalListener('SIGTERM', () => {}); for (;;);",
    "caught cancel": "for (;;) { try { await ctx.storage.kv.get('a'); } catch { /* on we go */ } }",
}


@pytest.mark.req("MAN-040", "TOOL-013")
@pytest.mark.parametrize("name", LOOPS)
async def test_the_user_stops_a_call_whatever_it_does(tmp_path: Path, name: str) -> None:
    gem = make_gem(
        tmp_path,
        tool=f"export default async (input, ctx) => {{ if (!input) return 'fine'; console.log('on'); {LOOPS[name]} }};",
    )
    host = MemoryHost()
    async with real_sandbox(tmp_path) as sandbox:
        running = asyncio.create_task(sandbox.call(guest_call(gem, True), host))
        await host.wrote.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        asked = len(host.requests)
        assert await outcome(sandbox, gem, host) == "fine"
        assert len(host.requests) == asked


async def test_a_call_over_its_time_ends_the_loop(tmp_path: Path) -> None:
    gem = make_gem(tmp_path, tool="export default () => { for (;;); };")
    async with real_sandbox(tmp_path) as sandbox:
        with pytest.raises(NotochordError) as caught:
            await sandbox.call(guest_call(gem, seconds=0.3), MemoryHost())
    assert caught.value.code is Code.TIMEOUT


async def test_a_call_stopped_alone_leaves_its_neighbours_running(tmp_path: Path) -> None:
    gem = make_gem(
        tmp_path,
        tool="export default async (input, ctx) => { await ctx.storage.kv.get(input); console.log(input);"
        " for (let i = 0; i < 1e9; i++) await ctx.storage.kv.get(input);  };",
        other="export default async () => { await new Promise((yes) => setTimeout(yes, 1500)); return 'fine'; };",
    )
    host = MemoryHost()
    async with real_sandbox(tmp_path, limits=GuestLimits(grace=60)) as sandbox:
        neighbour = asyncio.create_task(sandbox.call(guest_call(gem, module="other.ts"), host))
        running = asyncio.create_task(sandbox.call(guest_call(gem, "a"), host))
        await host.wrote.wait()
        running.cancel()
        assert await neighbour == "fine"
        await asyncio.gather(running, return_exceptions=True)


async def test_what_a_call_left_behind_can_ask_for_nothing(tmp_path: Path) -> None:
    source = """let kept; export default async (input, ctx) => {
      if (!kept) { kept = ctx; setInterval(() => ctx.storage.kv.set('late', 'x').catch(() => {}), 1); return 'left'; }
      return await kept.storage.kv.get('a').catch((error) => error.code); };"""
    gem = make_gem(tmp_path, tool=source)
    host, later = MemoryHost(), MemoryHost()
    async with real_sandbox(tmp_path) as sandbox:
        assert await sandbox.call(guest_call(gem), host) == "left"
        assert await sandbox.call(guest_call(gem), later) == "E_CANCELLED"
    assert (host.requests, later.requests) == ([], [])


async def test_what_nobody_caught_does_not_end_the_process(tmp_path: Path) -> None:
    gem = make_gem(
        tmp_path,
        tool="""export default async () => { Promise.reject(new Error('lost')); setTimeout(() => { throw 1; });
        queueMicrotask(() => { throw new Error('late'); }); await new Promise((yes) => setTimeout(yes, 50));
        return 'fine'; };""",
    )
    host = MemoryHost()
    async with real_sandbox(tmp_path) as sandbox:
        assert await sandbox.call(guest_call(gem), host) == "fine"
    assert any("lost" in line for line in host.lines)


@pytest.mark.req("TOOL-013")
async def test_many_lines_on_the_console_are_cut_short(tmp_path: Path) -> None:
    gem = make_gem(
        tmp_path,
        tool="export default () => { for (let i = 0; i < 1e5; i++) console.log('\\x1b[31m', i); return 'fine'; };",
    )
    host = MemoryHost()
    async with real_sandbox(tmp_path) as sandbox:
        assert await sandbox.call(guest_call(gem), host) == "fine"
    assert len(host.lines) == 500
    assert "\x1b" not in host.lines[0]
