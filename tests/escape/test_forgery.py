"""Frames that a gem writes itself gain it nothing: rights belong to the process and are checked on the other side."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import pytest

from escape.arena import program_log
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from support.guests import MemoryHost, guest_call, make_gem, real_sandbox

FORGE = """
const { core } = Deno[Deno.internal];
function frame(message, lengths) {
  const json = new TextEncoder().encode(typeof message === 'string' ? message : JSON.stringify(message));
  const bytes = new Uint8Array(8 + json.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, lengths?.[0] ?? json.length, true);
  view.setUint32(4, lengths?.[1] ?? 0, true);
  bytes.set(json, 8);
  core.writeSync(1, bytes);
}
const pause = () => new Promise((yes) => setTimeout(yes, 200));
"""
KV = ("storage.kv",)
ASK = "{ type: 'request', call: 1, id: 999, target: 'files.read', arguments: { path: 'a' }, attached: false }"


async def run(folder: Path, body: str, host: MemoryHost, namespaces: tuple[str, ...] = KV) -> Json:
    gem = make_gem(folder, tool=f"{FORGE} export default async (input, ctx) => {{ {body} }};")
    async with real_sandbox(folder) as sandbox:
        return await sandbox.call(guest_call(gem, namespaces=namespaces, seconds=60), host)


@pytest.mark.req("TOOL-010")
@pytest.mark.parametrize(("namespaces", "asked"), [(KV, 0), (("files",), 1)], ids=["closed", "control"])
async def test_a_forged_request_is_judged_by_what_the_call_may(
    tmp_path: Path, namespaces: tuple[str, ...], asked: int
) -> None:
    host = MemoryHost(files={"a": b"content"})
    assert await run(tmp_path, f"frame({ASK}); await pause(); return 'done';", host, namespaces) == "done"
    assert len(host.requests) == asked


@pytest.mark.parametrize("call", [0, 2, 77, 2**40])
async def test_a_forged_request_for_another_call_is_refused(tmp_path: Path, call: int) -> None:
    host = MemoryHost(files={"a": b"content"})
    ask = ASK.replace("call: 1", f"call: {call}")
    with program_log() as log:
        assert await run(tmp_path, f"frame({ask}); await pause(); return 1;", host, ("files",)) == 1
    assert host.requests == []
    assert "'files.read' was refused with E_CANCELLED" in log.taken()


async def test_a_forged_answer_to_a_call_never_made_is_ignored(tmp_path: Path) -> None:
    body = "frame({ type: 'returned', call: 55 }); await pause(); return 'own';"
    with program_log() as log:
        assert await run(tmp_path, body, MemoryHost()) == "own"
    assert "call 55: it answered a call that there is not" in log.taken()


async def test_control_a_forged_answer_to_its_own_call_counts(tmp_path: Path) -> None:
    body = "frame({ type: 'thrown', call: 1, name: 'X', message: 'forged', tooLarge: false }); await pause(); return 1;"
    with pytest.raises(NotochordError) as caught:
        await run(tmp_path, body, MemoryHost())
    assert caught.value.detail == "X: forged"


@pytest.mark.req("GEM-014")
async def test_a_call_of_another_conversation_is_in_another_process_and_cannot_be_named(tmp_path: Path) -> None:
    """Both calls have the number 1, each in its own process: the answer that one forges is its own."""
    source = (
        f"{FORGE} export default async (input, ctx) => {{ if (input) {{ frame({{ type: 'thrown', call: 1, "
        "name: '', message: 'forged', tooLarge: false }); } await pause(); return 'own'; };"
    )
    gem = make_gem(tmp_path, tool=source)
    async with real_sandbox(tmp_path) as sandbox:
        victim = asyncio.create_task(sandbox.call(guest_call(gem, scope="chat-2"), MemoryHost()))
        with pytest.raises(NotochordError):
            await sandbox.call(guest_call(gem, True), MemoryHost())
        assert await victim == "own"


async def test_control_within_one_conversation_a_gem_can_answer_its_own_other_call(tmp_path: Path) -> None:
    body = """if (input) { frame({ type: 'thrown', call: 1, name: '', message: 'forged', tooLarge: false }); return 1; }
      console.log('on'); await new Promise((yes) => setTimeout(yes, 5_000));"""
    gem = make_gem(tmp_path, tool=f"{FORGE} export default async (input, ctx) => {{ {body} }};")
    host = MemoryHost()
    async with real_sandbox(tmp_path) as sandbox:
        victim = asyncio.create_task(sandbox.call(guest_call(gem), host))
        await host.wrote.wait()
        assert await sandbox.call(guest_call(gem, True), MemoryHost()) == 1
        with pytest.raises(NotochordError):
            await victim


VIOLATIONS = {
    "huge frame": "frame('{}', [0xffffffff, 0]);",
    "huge attachment": "frame('{}', [2, 0xffffffff]);",
    "no json": "frame('nonsense');",
    "deep": "frame('['.repeat(100000));",
    "deep arguments": "frame('{\"a\":'.repeat(300) + '1' + '}'.repeat(300));",
    "key twice": 'frame(\'{"type":"ready","type":"ready"}\');',
    "unknown kind": "frame({ type: 'sudo' });",
    "ready again": "frame({ type: 'ready' });",
    "id as text": "frame({ type: 'returned', call: '1' });",
    "half a frame": "core.writeSync(1, new Uint8Array([9, 0, 0, 0, 0]));",
    "plain text": "core.print('hello\\n');",
    "print of node": "(await import('node:process')).default.stdout.write('hello to all of you\\n');",
    "too many at once": f"for (let i = 0; i < 2000; i++) frame({ASK});",
}


@pytest.mark.parametrize("name", VIOLATIONS)
async def test_a_violation_ends_the_process(tmp_path: Path, name: str) -> None:
    with program_log() as log, pytest.raises(NotochordError) as caught:
        await run(tmp_path, f"{VIOLATIONS[name]} await pause(); return 1;", MemoryHost(), ("files",))
    assert caught.value.code is Code.GUEST_PROTOCOL
    assert f"guest gem@1, call 1: it failed with {Code.GUEST_PROTOCOL}" in log.taken()


async def test_control_frames_as_the_guests_own_program_writes_them_end_nothing(tmp_path: Path) -> None:
    ask = ASK.replace("id: 999", "id: i")
    body = f"for (let i = 900; i < 930; i++) frame({ask}); await pause(); return 1;"
    host = MemoryHost(files={"a": b"content"})
    assert await run(tmp_path, body, host, ("files",)) == 1
    assert len(host.requests) == 30


POLLUTE = """
for (const prototype of [Object.prototype, Array.prototype, Function.prototype, Uint8Array.prototype]) {
  for (const name of ['toJSON', 'type', 'error', 'value', 'attachment']) {
    Object.defineProperty(prototype, name, { __proto__: null, configurable: true, writable: true,
      value: () => { throw new Error('polluted ' + name); } });
  }
}
JSON.stringify = JSON.parse = () => { throw new Error('polluted JSON'); };
TextEncoder.prototype.encode = TextDecoder.prototype.decode = () => { throw new Error('polluted text'); };
for (const name of ['push', 'map', 'join', 'slice', 'filter', 'shift']) {
  Array.prototype[name] = () => { throw new Error('polluted ' + name); };
}
Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => { throw new Error('polluted map'); };
Reflect.apply = Object.freeze = Object.keys = Object.create = () => { throw new Error('polluted object'); };
Object.getPrototypeOf(Uint8Array.prototype).set = () => { throw new Error('polluted bytes'); };
String.prototype.slice = String.prototype.split = () => { throw new Error('polluted string'); };
globalThis.Uint8Array = globalThis.Promise = globalThis.Error = globalThis.TextEncoder = undefined;
"""
TALK = """export default async (input, ctx) => {
  await ctx.storage.kv.set('a', 'é'); await ctx.files.write('f', 'text');
  let code; try { await ctx.files.read('none'); } catch (error) { code = error.code; }
  return [await ctx.storage.kv.get('a'), await ctx.files.read('f'), code].reverse(); };"""


@pytest.mark.parametrize("late", [False, True], ids=["before", "while a call runs"])
async def test_a_gem_that_changes_every_prototype_still_talks(tmp_path: Path, late: bool) -> None:
    # Its own value would meet the toJSON that it planted; that one is taken back.
    talk = TALK.replace("return [", "delete Array.prototype.toJSON; delete Object.prototype.toJSON; return [")
    source = talk.replace("ctx) => {", "ctx) => {" + POLLUTE, 1) if late else POLLUTE + talk
    host = MemoryHost()
    gem = make_gem(tmp_path, tool=source)
    async with real_sandbox(tmp_path) as sandbox:
        assert await sandbox.call(guest_call(gem, seconds=60), host) == ["E_FILE_MISSING", "text", "é"]


@pytest.mark.parametrize(
    "pollution",
    [
        "Array.prototype[Symbol.iterator] = function* () { throw new Error('polluted'); };",
        "Promise.prototype.then = () => { throw new Error('polluted'); };",
        "Object.prototype.then = (yes) => yes('hijacked');",
        "Object.defineProperty(Object.prototype, 'call', { set() { throw new Error('polluted'); } });",
        "Object.prototype.toJSON = () => { throw new Error('polluted'); };",
    ],
)
async def test_deeper_changes_end_in_an_answer_and_hurt_nobody_else(tmp_path: Path, pollution: str) -> None:
    gem = make_gem(tmp_path, tool=pollution + TALK)
    other = make_gem(tmp_path, "other", tool="export default () => 'fine';")
    async with real_sandbox(tmp_path) as sandbox:
        with contextlib.suppress(NotochordError):
            await sandbox.call(guest_call(gem, seconds=5), MemoryHost())
        assert await sandbox.call(guest_call(other), MemoryHost()) == "fine"


@pytest.mark.req("TOOL-011", "GEM-014", "DATA-489")
async def test_memory_of_one_gem_or_conversation_is_never_seen_by_another(tmp_path: Path) -> None:
    source = "export default () => [globalThis.seen = (globalThis.seen ?? 0) + 1, Deno.pid];"
    one, two = make_gem(tmp_path, tool=source), make_gem(tmp_path, "two", tool=source)
    async with real_sandbox(tmp_path) as sandbox:
        calls = [guest_call(one), guest_call(two), guest_call(one, scope="chat-2")]
        found = [await sandbox.call(call, MemoryHost()) for call in calls]
    assert [item[0] for item in found if isinstance(item, list)] == [1, 1, 1]
    assert len({item[1] for item in found if isinstance(item, list)}) == 3


PARENT = """
import asyncio, sys
from pathlib import Path
from support.guests import MemoryHost, guest_call, make_gem, real_launcher, real_sandbox
from notochord.adapters.deno.walls import NoWall
async def main():
    folder = Path(sys.argv[1])
    gem = make_gem(folder, tool="export default (i, ctx) => { console.log(Deno.pid); for (;;); };")
    class Host(MemoryHost):
        def log(self, text): print(text, flush=True)
    launcher = real_launcher(wall=NoWall("control")) if sys.argv[2] == "control" else None
    async with real_sandbox(folder, launcher=launcher) as sandbox:
        await sandbox.call(guest_call(gem), Host())
asyncio.run(main())
"""


@pytest.mark.req("TOOL-014", "TOOL-015")
@pytest.mark.skipif(sys.platform != "linux", reason="the death signal is Linux's")
@pytest.mark.parametrize("kind", ["wall", "control"])
def test_a_looping_guest_dies_with_the_program(tmp_path: Path, kind: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PARENT), str(tmp_path), kind],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert parent.stdout is not None
    guest = psutil.Process(int(parent.stdout.readline()))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    if kind == "control":
        with pytest.raises(psutil.TimeoutExpired):
            guest.wait(1)
        guest.kill()
    psutil.wait_procs([guest], timeout=60)
    assert not guest.is_running() or guest.status() == psutil.STATUS_ZOMBIE


async def test_ending_the_sandbox_ends_every_guest(tmp_path: Path) -> None:
    gem = make_gem(tmp_path, tool="export default () => { console.log('on'); for (;;); };")
    host = MemoryHost()
    async with real_sandbox(tmp_path) as sandbox:
        running = asyncio.create_task(sandbox.call(guest_call(gem), host))
        await host.wrote.wait()
    with pytest.raises(NotochordError) as caught:
        await running
    assert caught.value.code is Code.CANCELLED
