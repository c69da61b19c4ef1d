"""Tools in WebAssembly: what goes in and comes out, how they fail, and what stops them."""

import asyncio
from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.gems.wasm_tools import WasmHost
from notochord.services.sandbox.api import ProcedureCall
from support import wasm
from support.guests import real_sandbox

ROOM = 1024 * 63
"""Bytes between the address that `alloc` gives and the end of one page."""


async def run(folder: Path, code: bytes, given: Json = None, seconds: float = 0.0) -> Json:
    call = ProcedureCall("w", "wasm", given, Caller(Actor.SYSTEM, "test"), compiled=True, seconds=seconds)
    async with real_sandbox(folder) as sandbox:
        return await sandbox.run_procedure(call, WasmHost(code))


async def failure(folder: Path, code: bytes, given: Json = None, seconds: float = 0.0) -> NotochordError:
    with pytest.raises(NotochordError) as found:
        await run(folder, code, given, seconds)
    return found.value


async def test_arguments_go_in_and_the_value_comes_out(tmp_path: Path) -> None:
    given: Json = {"text": "数 😀", "numbers": [1, 2.5, None, True]}
    assert await run(tmp_path, wasm.module(), given) == given


@pytest.mark.parametrize(
    ("code", "given", "said"),
    [
        (wasm.module(wasm.FAIL), "no paper", '"no paper"'),
        (wasm.module(wasm.TRAP), None, "RuntimeError: unreachable"),
        (wasm.module(wasm.FAR), None, "outside of the module's memory"),
        (wasm.module(), "x" * ROOM, "outside of the module's memory"),
        (wasm.module(exports=("memory", "run")), None, "exports memory, alloc and run"),
        (wasm.module(imports=True), None, "imports nothing"),
        (b"\0asm\1\0\0\0\x01", None, "CompileError"),
        (b"no module", None, "CompileError"),
    ],
)
async def test_a_tool_that_fails_says_how(tmp_path: Path, code: bytes, given: Json, said: str) -> None:
    found = await failure(tmp_path, code, given)
    assert found.code is Code.TOOL_FAILED
    assert said in found.detail


async def test_a_loop_without_end_is_ended_in_time_and_when_its_caller_goes(tmp_path: Path) -> None:
    assert (await failure(tmp_path, wasm.module(wasm.LOOP), seconds=0.5)).code is Code.TIMEOUT
    call = ProcedureCall("w", "wasm", None, Caller(Actor.SYSTEM, "test"), compiled=True)
    async with real_sandbox(tmp_path) as sandbox:
        task = asyncio.create_task(sandbox.run_procedure(call, WasmHost(wasm.module(wasm.LOOP))))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_a_module_has_at_most_256_mib_of_memory(tmp_path: Path) -> None:
    assert await run(tmp_path, wasm.module(pages=4096), "fits") == "fits"
    assert (await failure(tmp_path, wasm.module(pages=4097))).code is Code.TOOL_FAILED
    assert await run(tmp_path, wasm.module(wasm.GROW), "grew") == "grew"


async def test_a_tool_gets_nothing_but_its_module() -> None:
    from notochord.services.sandbox.api import HostRequest

    host = WasmHost(b"code")
    for target in ("files.read", "storage.kv.get", "http.fetch", "wasm.other"):
        with pytest.raises(NotochordError) as found:
            await host.answer(HostRequest(target, {}, None))
        assert found.value.code is Code.PERM_DENIED
