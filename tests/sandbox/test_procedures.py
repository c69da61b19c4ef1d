"""Procedures: code given as text, in a process of its own that can be ended at any time."""

import asyncio
from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.sandbox.api import HostAnswer, HostRequest, ProcedureCall
from support.guests import real_sandbox, run_tool


class Batch:
    """Gives one record, then none."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.back: list[bytes] = []
        self._left = [b'a {"n":1}']

    async def answer(self, request: HostRequest) -> HostAnswer:
        self.asked.set()
        if request.target == "migration.put":
            self.back.append(request.attachment or b"")
            return HostAnswer(None)
        found = self._left[:1]
        self._left = []
        return HostAnswer(len(found), b"\n".join(found))

    def log(self, text: str) -> None:
        return None


def call(source: str, name: str = "p1", procedure: str = "migration") -> ProcedureCall:
    given: Json = {"source": source, "typed": False, "steps": ["v1_to_v2"]}
    return ProcedureCall(name, procedure, given, Caller(Actor.SYSTEM, "test"))


async def test_a_procedure_runs_to_its_end_and_leaves_no_folder(tmp_path: Path) -> None:
    host = Batch()
    async with real_sandbox(tmp_path) as sandbox:
        assert await sandbox.run_procedure(call("export const v1_to_v2 = (data) => ({ n: data.n + 1 })"), host) is None
        assert host.back == [b'a {"n":2}']
        assert not any((tmp_path / "guests").iterdir())


@pytest.mark.parametrize("end", ["cancel", "close"])
async def test_a_loop_without_end_ends_with_its_caller_or_the_sandbox(tmp_path: Path, end: str) -> None:
    host = Batch()
    async with real_sandbox(tmp_path) as sandbox:
        running = asyncio.create_task(
            sandbox.run_procedure(call("export const v1_to_v2 = () => { for (;;) {} }"), host)
        )
        await host.asked.wait()
        await asyncio.sleep(0.05)
        if end == "cancel":
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
        else:
            await sandbox.close()
            with pytest.raises(NotochordError) as caught:
                await running
            assert caught.value.code is Code.CANCELLED


async def test_a_procedure_that_there_is_not_fails(tmp_path: Path) -> None:
    async with real_sandbox(tmp_path) as sandbox:
        with pytest.raises(NotochordError) as caught:
            await sandbox.run_procedure(call("", procedure="none"), Batch())
    assert caught.value.code is Code.TOOL_FAILED


async def test_a_tool_cannot_load_the_programs_own_procedures(tmp_path: Path) -> None:
    source = """export default async () => {
      try { await import('notochord:migration'); return 'loaded' } catch (error) { return 'refused' }
    }"""
    assert await run_tool(tmp_path, source) == "refused"
