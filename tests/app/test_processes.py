"""The program as processes: plan mode and consent answered from elsewhere, and an answer that SIGKILL cuts off."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.programs import Program
from support.strict_servers import Hold
from support.whole import calls, connect, opened, probe, say, scripted

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such endpoint yet")


class RealProgram(Program):
    """The program itself, in one home."""

    def line(self, words: tuple[str, ...]) -> list[str]:
        return [sys.executable, "-m", "notochord", *words]

    async def give(self, *words: str) -> Any:
        """Run a command beside the server of the test and return its JSON value."""
        ended = await asyncio.to_thread(self.run, *words, "--json")
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout)


async def event(process: "subprocess.Popen[str]", kind: str) -> dict[str, Any]:
    """Read the stream of a command up to the first object of this kind."""
    assert process.stdout
    while line := await asyncio.to_thread(process.stdout.readline):
        found: dict[str, Any] = json.loads(line)
        if found.get("type") == kind or kind in found:
            return found
    raise AssertionError(f"no {kind}")


async def ended(process: "subprocess.Popen[str]") -> list[dict[str, Any]]:
    """Let a command come to its end and return the rest of its stream."""
    rest, errors = await asyncio.to_thread(process.communicate, timeout=120)
    assert process.returncode == 0, errors
    return [json.loads(line) for line in rest.splitlines()]


@pytest.mark.req("GEM-055")
async def test_a_plan_and_a_gem_are_allowed_from_another_process_while_the_conversation_waits(tmp_path: Path) -> None:
    program = RealProgram(tmp_path / "home")
    async with scripted() as (server, script):
        async with opened(program.home) as services:
            await connect(services, server)
            await services.gems.install(probe(tmp_path, "writes"), allow_unsigned=True)
        script.play(
            calls("propose_plan", plan="1. Write it"),
            calls("read_skill", name="probe"),
            calls("gem_probe_writes", path="a.txt", text="planned"),
        )
        with program.started("headless", "--json") as holder:
            await event(holder, "ready")
            with program.started("chat", "--plan", "Write a file", "--json") as talk:
                chat = (await event(talk, "chat"))["chat"]
                for kind in ("plan", "gem"):
                    asked = (await event(talk, "approval"))["approval"]
                    assert asked["question"]["kind"] == kind
                    await program.give("approvals", "approve", asked["id"])
                assert (await ended(talk))[-1]["text"] == "That is all."
            holder.send_signal(signal.SIGTERM)
            await asyncio.to_thread(holder.communicate, timeout=120)
        (written,) = program.home.glob(f"organizations/*/chats/{chat}/**/a.txt")
        assert written.read_text() == "planned"
        assert "propose_plan" in script.tools(0)
        assert "fs_write" not in script.tools(0)
        assert "fs_write" in script.tools(1)


async def test_an_answer_cut_off_by_a_kill_is_marked_and_the_conversation_goes_on(tmp_path: Path) -> None:
    program = RealProgram(tmp_path / "home")
    async with scripted() as (server, script):
        async with opened(program.home) as services:
            await connect(services, server)
        script.play(calls("fs_list"), Hold("half an answer"))
        with program.started("chat", "Look around", "--json") as talk_process:
            chat = (await event(talk_process, "chat"))["chat"]
            await event(talk_process, "text")
            talk_process.kill()
            await asyncio.to_thread(talk_process.communicate, timeout=120)
        async with opened(program.home) as services:
            entries = await services.chats.entries(chat)
            assert [call.state for entry in entries for call in entry.calls] == ["done"]
            assert [entry.state for entry in entries] == ["done", "interrupted", "done"]
            assert await say(services, await services.chats.get(chat), "Go on") == "done"


async def test_a_call_cut_off_by_a_kill_is_marked_and_its_question_can_still_be_answered(tmp_path: Path) -> None:
    program = RealProgram(tmp_path / "home")
    async with scripted() as (server, script):
        async with opened(program.home) as services:
            await connect(services, server)
            await services.gems.install(probe(tmp_path, "writes"), allow_unsigned=True)
        write = calls("gem_probe_writes", path="a.txt", text="b")
        script.play(calls("read_skill", name="probe"), write)
        with program.started("headless", "--json") as holder:
            await event(holder, "ready")
            with program.started("chat", "Write a file", "--json") as talk_process:
                chat = (await event(talk_process, "chat"))["chat"]
                await event(talk_process, "approval")
                holder.kill()
                await asyncio.to_thread(talk_process.communicate, timeout=120)
            await asyncio.to_thread(holder.communicate, timeout=120)
        async with opened(program.home) as services:
            found = await services.chats.get(chat)
            entries = await services.chats.entries(chat)
            assert [call.state for entry in entries for call in entry.calls] == ["done", "interrupted"]
            # What is asked about a gem is asked for the whole conversation: the answer holds from then on.
            (waiting,) = await services.approvals.pending()
            await services.approvals.decide(waiting.id, approve=True, by="window")
            script.play(write)
            assert await say(services, found, "Go on") == "done"
            assert (found.folder / "a.txt").read_text() == "b"
