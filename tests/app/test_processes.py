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
from support.whole import calls, connect, opened, probe, scripted

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
    rest, errors = await asyncio.to_thread(process.communicate, timeout=60)
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
                    assert [one["id"] for one in await program.give("approvals", "list")] == [asked["id"]]
                    await program.give("approvals", "approve", asked["id"])
                assert (await ended(talk))[-1]["text"] == "That is all."
            folder = next(one["folder"] for one in await program.give("chats", "list") if one["id"] == chat)
            holder.send_signal(signal.SIGTERM)
            await asyncio.to_thread(holder.communicate, timeout=60)
        assert (Path(folder) / "a.txt").read_text() == "planned"
        assert "propose_plan" in script.tools(0)
        assert "fs_write" not in script.tools(0)
        assert "fs_write" in script.tools(1)


@pytest.mark.parametrize("where", ["text", "approval"])
async def test_an_answer_cut_off_by_a_kill_leaves_a_conversation_that_goes_on(tmp_path: Path, where: str) -> None:
    program = RealProgram(tmp_path / "home")
    async with scripted() as (server, script):
        async with opened(program.home) as services:
            await connect(services, server)
            await services.gems.install(probe(tmp_path, "writes"), allow_unsigned=True)
        write = calls("gem_probe_writes", path="a.txt", text="b")
        script.play(calls("read_skill", name="probe"), Hold("half an answer") if where == "text" else write)
        with program.started("headless", "--json") as holder:
            await event(holder, "ready")
            with program.started("chat", "Write a file", "--json") as talk:
                chat = (await event(talk, "chat"))["chat"]
                await event(talk, where)
                holder.kill()
                await asyncio.to_thread(talk.communicate, timeout=60)
            await asyncio.to_thread(holder.communicate, timeout=60)
        shown = await program.give("chats", "show", chat)
        assert "Write a file" in json.dumps(shown["entries"])
        assert "interrupted" in json.dumps(shown["entries"])
        # The question of a gem is for the whole conversation: it can still be answered, and the answer holds.
        waiting = await program.give("approvals", "list")
        assert len(waiting) == (where == "approval")
        for one in waiting:
            await program.give("approvals", "approve", one["id"])
            script.play(write)
        with program.started("chat", "--id", chat, "Go on", "--json") as talk:
            assert (await ended(talk))[-1]["text"] == "That is all."
        assert (Path(shown["chat"]["folder"]) / "a.txt").exists() is (where == "approval")
