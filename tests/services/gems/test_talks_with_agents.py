"""Conversations that the user has with an agent of a gem, as the bubbles of its pages begin them."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.chat.api import Chat, NewChat, Outgoing
from notochord.services.gems.api import agent_model
from notochord.services.models.api import ModelRequest, ToolResult
from support.conversations import Office, office_in
from support.gems import FILES, PackageMaker, Platform, manifest, platform, tool
from support.scripted_models import CHAT_MODEL, DEEP_MODEL, Step, call, say, use

ROLE = "greeter/host"
HOST = "---\ndescription: Hosts.\ntools: [inner]\nplatform_tools: [fs.write]\n---\nYou host guests."


@dataclass
class Salon:
    """Conversations, and a gem with the agent `host` that is not exposed."""

    office: Office
    gems: Platform

    async def talk(self, **new: Any) -> Chat:
        return await self.office.chats.create(NewChat(role=ROLE, **new))

    def asked(self) -> list[ModelRequest]:
        """Return what the agent's model was asked."""
        return self.office.models.of("gem_agent")

    def told(self) -> list[str]:
        return [
            part.text for message in self.asked()[-1].messages for part in message.parts if isinstance(part, ToolResult)
        ]


@asynccontextmanager
async def salon(folder: Path, steps: Iterable[Step] = (), **changes: Any) -> AsyncIterator[Salon]:
    async with (
        platform(folder / "org") as gems,
        office_in(folder, [], gem_agents=gems.service.agents, gem_agent=steps, title=[say("t")] * 9) as office,
    ):
        office.tools.register(gems.service.provider)
        office.tools.register(gems.service.agent_tools(office.chats.runner))
        entries = [tool(), tool("inner", expose=False)]
        content = manifest(tools=entries, **changes)
        package = PackageMaker(folder / "packages").make(content, {**FILES, "agents/host.md": HOST}, key=None)
        await gems.service.install(package, allow_unsigned=True)
        yield Salon(office, gems)


@pytest.mark.req("AGENT-011", "AGENT-028", "AGENT-033", "AGENT-034")
async def test_the_agent_answers_with_its_own_prompt_and_tools_and_nothing_else(tmp_path: Path) -> None:
    """An agent without `expose` is there for the pages of its gem, and for nobody else."""
    others = call("gem.greeter.greet", {}, id="2")
    steps = [use(call("gem.greeter.inner", {"who": "Ada"}), others), say("Greeted.")]
    async with salon(tmp_path, steps) as room:
        chat = await room.talk()
        entry = await room.office.chats.send(chat.id, Outgoing("Greet Ada"))
        (asked, _), told = room.asked(), room.told()
        assert asked.system.startswith("You host guests.")
        assert {found.name for found in asked.tools} == {"gem.greeter.inner"}
        assert (told[0], told[1][:13]) == ('{"input":{"who":"Ada"}}', "E_PERM_DENIED")
        assert asked.caller.name == "greeter"
        assert entry.state == "done"
        assert [found.id for found in await room.office.chats.all()] == [chat.id]


async def test_its_own_folder_is_the_same_in_each_answer_and_goes_when_nothing_is_left_in_it(tmp_path: Path) -> None:
    steps = [use(call("gem.greeter.inner")), say("One."), use(call("gem.greeter.inner")), say("Two.")]
    async with salon(tmp_path, steps) as room:
        chat = await room.talk()
        for text in ("a", "b"):
            await room.office.chats.send(chat.id, Outgoing(text))
        assert room.gems.sandbox.calls[0].context == room.gems.sandbox.calls[1].context
        assert room.office.files.made == ["runs/host"] * 2
        assert not (chat.folder / "runs/host").exists()


@pytest.mark.req("AGENT-036", "AGENT-041")
@pytest.mark.parametrize(("chosen", "model"), [("", CHAT_MODEL), ("deep", DEEP_MODEL)])
async def test_its_model_is_the_one_that_the_gems_page_says(tmp_path: Path, chosen: str, model: Any) -> None:
    async with salon(tmp_path) as room:
        await room.office.settings.change(agent_model("greeter", "host"), chosen)
        assert (await room.talk()).model == str(model)


@pytest.mark.parametrize("role", ["greeter/nobody", "stranger/host"])
async def test_a_conversation_with_an_agent_that_there_is_not_does_not_begin(tmp_path: Path, role: str) -> None:
    async with salon(tmp_path) as room:
        with pytest.raises(NotochordError) as refused:
            await room.office.chats.create(NewChat(role=role))
        assert refused.value.code is (Code.GEM_UNKNOWN if role.startswith("stranger") else Code.NOT_FOUND)
        assert await room.office.chats.all() == ()


async def test_when_the_gem_is_gone_the_conversation_stays_and_nothing_is_sent_to_anybody(tmp_path: Path) -> None:
    async with salon(tmp_path, [say("Hello.")]) as room:
        chat = await room.talk()
        await room.office.chats.send(chat.id, Outgoing("a"))
        await room.gems.service.remove("greeter")
        with pytest.raises(NotochordError) as refused:
            await room.office.chats.send(chat.id, Outgoing("b"))
        assert refused.value.code is Code.GEM_UNKNOWN
        assert len(await room.office.chats.entries(chat.id)) == 2
        assert len(room.asked()) == 1


async def test_it_makes_no_plans(tmp_path: Path) -> None:
    async with salon(tmp_path) as room:
        chat = await room.talk()
        with pytest.raises(NotochordError, match="no plans"):
            await room.office.chats.set_plan_mode(chat.id, True)
        with pytest.raises(NotochordError, match="no plans"):
            await room.talk(plan_mode=True)
        assert not (await room.office.chats.get(chat.id)).plan_mode
