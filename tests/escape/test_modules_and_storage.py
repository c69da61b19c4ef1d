"""What a gem imports and where it keeps things: nothing from outside its folder, nothing behind the program's back."""

import os
import subprocess
from pathlib import Path

import pytest
from deno import find_deno_bin

from escape.arena import SECRET, Barriers, open_launcher, program_log
from notochord.adapters.deno import launcher as launcher_module
from notochord.adapters.deno.launcher import REFUSALS, RUNTIME
from notochord.adapters.deno.walls import NoWall
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.sandbox import service as service_module
from notochord.services.sandbox.api import GemInstance
from support.guests import MemoryHost, guest_call, make_gem, real_launcher, real_sandbox, run_tool


async def failure_of(folder: Path, source: str, *, told: bool = True) -> NotochordError:
    """Return how a gem failed, which the program's log tells of too, unless nobody knows what was meant."""
    with program_log() as log, pytest.raises(NotochordError) as caught:
        await run_tool(folder, source)
    assert ("guest gem@1" in log.taken()) is told
    return caught.value


@pytest.mark.req("TOOL-012")
@pytest.mark.parametrize(
    "address", ["npm:left-pad@1", "jsr:@std/assert", "https://deno.land/std/assert/mod.ts", "http://127.0.0.1:9/a.js"]
)
@pytest.mark.parametrize("form", ["import x from '%s'; export default () => x;",
                                  "export default async () => (await import('%s')).default;"],
                         ids=["static", "dynamic"])  # fmt: skip
async def test_nothing_is_imported_from_the_net(tmp_path: Path, form: str, address: str) -> None:
    error = await failure_of(tmp_path, form % address)
    assert error.code is Code.TOOL_FAILED
    assert "left-pad@1.3" not in error.detail


NOWHERE = [
    "ftp://evil.example/x.js", "ws://evil.example/x.js", "virtual:x", "cargo:x", "ext:core/mod.js", "deno:x", "bare",
    "#inside", "blob:null/x", "file://evil.example/share/x.js", "npm:/left-pad", "HTTPS://deno.land/x.js", "data:,x",
    "https:deno.land/x.js", "//evil.example/x.js", "node:nothing",
]  # fmt: skip


@pytest.mark.req("TOOL-012")
@pytest.mark.parametrize("form", ["import x from '%s'; export default () => x;",
                                  "export default async () => (await import('%s')).default;",
                                  "export * from '%s'; export default () => 1;",
                                  "export default async () => (await import(import.meta.resolve('%s'))).default;"],
                         ids=["static", "dynamic", "export", "resolved"])  # fmt: skip
async def test_no_other_scheme_leads_anywhere(tmp_path: Path, form: str) -> None:
    names = {address: f"m{number}" for number, address in enumerate(NOWHERE)}
    gem = make_gem(tmp_path, **{name: form % address for address, name in names.items()})
    async with real_sandbox(tmp_path) as sandbox:
        for name in names.values():
            with pytest.raises(NotochordError) as caught:
                await sandbox.call(guest_call(gem, module=f"{name}.ts"), MemoryHost())
            assert caught.value.code is Code.TOOL_FAILED


async def test_control_what_a_gem_has_itself_is_imported_by_the_same_forms(tmp_path: Path) -> None:
    gem = make_gem(
        tmp_path, part="export default 7;", tool="import x from './part.ts'; export default async () => "
        "[x, (await import(import.meta.resolve('./part.ts'))).default, (await import('node:path')).sep];",
    )  # fmt: skip
    async with real_sandbox(tmp_path) as sandbox:
        assert await sandbox.call(guest_call(gem), MemoryHost()) == [7, 7, "/"]


@pytest.mark.parametrize("kind", ["text", "bytes"])
async def test_a_static_import_of_a_file_outside_fails(tmp_path: Path, kind: str) -> None:
    (tmp_path / "secret").write_text(SECRET)
    source = f"import s from 'file://{tmp_path}/secret' with {{ type: '{kind}' }}; export default () => String(s);"
    error = await failure_of(tmp_path, source, told=kind == "text")
    assert error.code is Code.TOOL_FAILED
    assert SECRET not in error.detail


def test_control_a_static_import_gets_through_when_the_gem_is_in_the_static_graph(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET)
    (tmp_path / "gem.ts").write_text(
        f"import s from 'file://{tmp_path}/secret' with {{ type: 'text' }}; console.log(s);"
    )
    (tmp_path / "main.ts").write_text(f"await import('file://{tmp_path}/gem.ts');")
    environment = {"DENO_DIR": str(tmp_path / "deno"), "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [find_deno_bin(), *RUNTIME, *REFUSALS, str(tmp_path / "main.ts")],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == SECRET


READ_LINK = "export default () => Deno.readTextFileSync(new URL('link', import.meta.url));"


def gem_with_link(folder: Path) -> GemInstance:
    (folder / "secret").write_text(SECRET)
    gem = make_gem(folder, tool=READ_LINK)
    (gem.code / "link").symlink_to(folder / "secret")
    return gem


async def test_a_planted_link_keeps_a_gem_from_starting(tmp_path: Path) -> None:
    gem = gem_with_link(tmp_path)
    async with real_sandbox(tmp_path) as sandbox:
        with program_log() as log, pytest.raises(NotochordError) as caught:
            await sandbox.call(guest_call(gem), MemoryHost())
    assert caught.value.code is Code.GUEST_START
    assert "guest gem@1: it is not run: E_GUEST_START" in log.taken()


async def test_control_the_runtime_follows_a_link_when_it_is_not_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "find_foreign", lambda root: None)
    gem = gem_with_link(tmp_path)
    async with real_sandbox(tmp_path, launcher=real_launcher(wall=NoWall("taken away"))) as sandbox:
        assert await sandbox.call(guest_call(gem), MemoryHost()) == SECRET


async def test_the_wall_alone_stops_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "find_foreign", lambda root: None)
    gem = gem_with_link(tmp_path)
    async with real_sandbox(tmp_path, launcher=open_launcher(Barriers.WALL)) as sandbox:
        with pytest.raises(NotochordError) as caught:
            await sandbox.call(guest_call(gem), MemoryHost())
    assert SECRET not in caught.value.detail


KEEP = {
    "localStorage": "export default () => { localStorage.setItem('a', '1'); return localStorage.getItem('a'); };",
    "caches": "export default async () => { const c = await caches.open('a'); "
    "await c.put('http://a/', new Response('1')); return await (await c.match('http://a/')).text(); };",
}


@pytest.mark.req("DATA-486")
@pytest.mark.parametrize("store", KEEP)
async def test_the_runtimes_own_stores_are_closed(tmp_path: Path, store: str) -> None:
    assert (await failure_of(tmp_path, KEEP[store])).code is Code.TOOL_FAILED


@pytest.mark.parametrize("store", KEEP)
async def test_control_without_the_file_in_its_place_the_store_works(
    tmp_path: Path, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(state: Path) -> None:
        for folder in (state / "deno", state / "empty"):
            folder.mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr(launcher_module, "_prepare", prepare)
    gem = make_gem(tmp_path, tool=KEEP[store])
    async with real_sandbox(tmp_path, launcher=real_launcher(wall=NoWall("taken away"))) as sandbox:
        assert await sandbox.call(guest_call(gem), MemoryHost()) == "1"


@pytest.mark.parametrize("name", ["Worker", "alert", "confirm", "prompt"])
async def test_what_a_tool_cannot_use_says_so(tmp_path: Path, name: str) -> None:
    error = await failure_of(tmp_path, f"export default () => new {name}('data:text/javascript,');")
    assert f"{name} is not available" in error.detail


async def test_a_thread_behind_the_stub_has_no_more_rights(tmp_path: Path) -> None:
    source = (
        "import { Worker } from 'node:worker_threads'; export default (input) => new Promise((yes) => { "
        'const w = new Worker(\'require("worker_threads").parentPort.postMessage(String(require("fs")'
        ".readFileSync(' + JSON.stringify(input) + ')))', { eval: true }); "
        "w.on('message', yes); w.on('error', (e) => yes('blocked: ' + e)); });"
    )
    (tmp_path / "secret").write_text(SECRET)
    try:
        found: Json = await run_tool(tmp_path, source, str(tmp_path / "secret"))
    except NotochordError as error:  # the thread's memory is beyond the limit
        found = str(error)
    assert SECRET not in str(found)


@pytest.mark.parametrize("name", ["a,b", "with space", "数据", "100%", "a#b?c", "it's"])
async def test_folders_with_odd_names_open_themselves_and_nothing_else(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name / "x"
    folder.mkdir(parents=True)
    (tmp_path / "secret").write_text(SECRET)
    source = """export default (secret) => {
      const own = Deno.readTextFileSync(new URL('tool.ts', import.meta.url)).length > 0;
      try { return Deno.readTextFileSync(secret); } catch (error) { return [own, error.name]; } };"""
    assert await run_tool(folder, source, str(tmp_path / "secret")) == [True, "NotCapable"]


async def test_a_comma_in_the_path_cannot_open_another_folder(tmp_path: Path) -> None:
    folder = tmp_path / "x,"
    (tmp_path / "secret").write_text(SECRET)
    (tmp_path / "open").mkdir()
    gem = make_gem(folder, f"{tmp_path.name},etc", tool="export default () => Deno.readTextFileSync('/etc/hostname');")
    async with real_sandbox(tmp_path / "state") as sandbox:
        with pytest.raises(NotochordError) as caught:
            await sandbox.call(guest_call(gem), MemoryHost())
    assert "NotCapable" in caught.value.detail
