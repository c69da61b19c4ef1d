"""A gem cannot keep what it is refused out of the program's log, nor fill the log, nor put words into it."""

from pathlib import Path

import pytest

from escape.arena import program_log
from escape.test_forgery import FORGE
from notochord.services.sandbox import incidents
from support.guests import MemoryHost, guest_call, make_gem, real_sandbox

READ = "try { Deno.readTextFileSync('/etc/hostname'); } catch { /* nobody is to know */ } return 'done';"
BLINDFOLDS = {
    "the class's own parent": "Object.setPrototypeOf(Deno.errors.NotCapable, Error);",
    "the class": "Deno.errors.NotCapable = class extends Error {};",
    "what its parent calls": "Object.setPrototypeOf(Object.getPrototypeOf(Deno.errors.NotCapable), Array);",
    "the trace": "Error.prepareStackTrace = () => { throw 1; }; Error.captureStackTrace = () => { throw 1; };",
    "the trace's length": "Object.defineProperty(Error, 'stackTraceLimit', { get() { throw 1; } });",
    "texts": "String.prototype.split = String.prototype.slice = () => { throw 1; };",
    "what knows the call": "(await import('node:async_hooks')).AsyncLocalStorage.prototype.getStore = () => 999;",
    "the writer": "Deno.stdout?.writeSync && (Deno.stdout.writeSync = () => 0);",
    "many before": "for (let i = 0; i < 5_000; i++) new Deno.errors.NotCapable('Requires other' + i + ' access');",
}


async def said(folder: Path, body: str) -> list[str]:
    gem = make_gem(folder, tool=f"{FORGE} export default async (input, ctx) => {{ {body} }};")
    with program_log("notochord.services.sandbox") as log:
        async with real_sandbox(folder) as sandbox:
            assert await sandbox.call(guest_call(gem), MemoryHost()) == "done"
        return log.taken().splitlines()


@pytest.mark.parametrize("name", BLINDFOLDS)
async def test_a_refusal_is_seen_whatever_a_gem_changed_before(tmp_path: Path, name: str) -> None:
    lines = await said(tmp_path, f"try {{ {BLINDFOLDS[name]} }} catch {{}} {READ}")
    assert any(line.endswith(": the runtime refused read") for line in lines)
    assert len(lines) <= 600


async def test_control_what_is_allowed_leaves_no_line(tmp_path: Path) -> None:
    assert await said(tmp_path, "Deno.readTextFileSync(new URL('tool.ts', import.meta.url)); return 'done';") == []


async def test_no_word_of_a_gem_is_in_the_log(tmp_path: Path) -> None:
    body = """new Deno.errors.NotCapable('Requires forged\\nWARNING access'); new Deno.errors.NotCapable({});
      frame({ type: 'denied', call: 1, what: 'line\\nWARNING root: forged' });
      frame({ type: 'request', call: 1, id: 9, target: 'a\\n\\u001b[31mforged', arguments: {}, attached: false });
      await pause(); return 'done';"""
    lines = await said(tmp_path, body)
    assert lines
    assert all(line.startswith("guest gem@1, call 1: ") for line in lines)
    assert not [line for line in lines if "forged" in line and "was refused" not in line]
    assert "\x1b" not in "".join(lines)


async def test_a_gem_cannot_fill_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incidents, "MOST", 40)
    body = """for (let i = 0; i < 50; i++) {
        frame({ type: 'request', call: 1, id: 9, target: 'x' + i, arguments: {}, attached: false });
      } await pause(); return 'done';"""
    lines = await said(tmp_path, body)
    assert len(lines) == 41
    assert lines[-1] == "guest gem@1: what else it is refused is not told"
