"""The tools for gems that the user gives an agent of the program, or takes from it."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.strict_json import Json
from notochord.services.agents.api import Agent, BuiltInAgent, ToolOfChoice, tool_setting
from notochord.services.chat.api import NewChat, Outgoing
from notochord.services.chat.sub_agents import Job
from notochord.services.models.api import ModelRequest
from notochord.services.tools.api import Session, SideEffect, ToolDefinition, ToolOutput, ToolProvider
from support.conversations import Office, office_in
from support.gems import FILES, PackageMaker, manifest, platform
from support.scripted_models import Step, call, say, use

GO = Outgoing("Greet somebody.")
READ, SEARCH = ToolOfChoice.READ_SKILL, ToolOfChoice.TOOL_SEARCH
SKILL = {"skill/SKILL.md": "# How to greet\n"}
HOST = {"agents/host.md": "---\ndescription: Hosts.\nexpose: true\n---\nYou host."}


@asynccontextmanager
async def office(
    folder: Path, steps: Iterable[Step], *, sub_agent: Iterable[Step] = (), gem_agent: Iterable[Step] = ()
) -> AsyncIterator[Office]:
    """Open conversations in which one gem is installed, whose tools nobody has to agree to."""
    async with (
        platform(folder / "org") as gems,
        office_in(folder, steps, sub_agent=sub_agent, gem_agent=gem_agent) as made,
    ):
        made.tools.register(gems.service.provider)
        made.tools.register(gems.service.agent_tools(made.chats.runner))
        await gems.service.install(PackageMaker(folder / "made").make(manifest(), {**FILES, **SKILL, **HOST}))
        yield made


async def begun(made: Office) -> str:
    return (await made.chats.create(NewChat())).id


def had(request: ModelRequest) -> set[str]:
    return {tool.name for tool in request.tools} & {READ.value, SEARCH.value}


@pytest.mark.req("GEM-020", "GEM-021", "GEM-018", "GEM-019")
@pytest.mark.parametrize("taken", list(ToolOfChoice))
async def test_the_chat_agent_has_both_tools_until_the_user_takes_one(tmp_path: Path, taken: ToolOfChoice) -> None:
    steps = [say("Hello."), use(call(taken.value, {"name": "greeter", "query": "greet"})), say("Then not.")]
    async with office(tmp_path, steps) as made:
        chat = await begun(made)
        await made.chats.send(chat, GO)
        await made.settings.change(tool_setting("chat", taken), False)
        await made.chats.send(chat, GO)
        before, after, told = made.models.of("chat")
        outcome = str(told.messages[-1].parts[0])
        listed = {tool.name for tool in await made.chats.tools(chat)}
    assert (had(before), had(after)) == ({"read_skill", "tool_search"}, {"read_skill", "tool_search"} - {taken.value})
    assert ("Greeter" in before.system, "Greeter" in after.system) == (True, taken is SEARCH)
    assert f"the user switched {taken.value} off" in outcome
    assert taken.value not in listed


class User(ToolProvider):
    """Takes a tool from the chat agent while it answers, which it does when it is called."""

    def __init__(self, made: Office) -> None:
        self._settings = made.settings

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        return (ToolDefinition("user", "Plays the user.", {"type": "object"}, SideEffect.READ),)

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        await self._settings.change(tool_setting("chat", READ), False)
        return ToolOutput("taken")


async def test_a_tool_that_is_taken_during_an_answer_is_gone_at_the_next_step(tmp_path: Path) -> None:
    async with office(tmp_path, [use(call("user")), say("Done.")]) as made:
        made.tools.register(User(made))
        await made.chats.send(await begun(made), GO)
        first, second = made.models.of("chat")
    assert (READ.value in had(first), READ.value in had(second)) == (True, False)


@pytest.mark.req("GEM-020")
async def test_what_is_taken_from_the_chat_agent_its_sub_agents_do_not_have_either(tmp_path: Path) -> None:
    steps = [use(call("agent.delegate", {"task": "Greet."})), say("Done.")]
    async with office(tmp_path, steps, sub_agent=[say("Greeted.")]) as made:
        await made.settings.change(tool_setting("chat", READ), False)
        await made.chats.send(await begun(made), GO)
        (request,) = made.models.of("sub_agent")
    assert had(request) == {SEARCH.value}


@pytest.mark.req("AGENT-035", "GEM-070")
async def test_an_agent_of_a_gem_keeps_what_its_file_gives_it(tmp_path: Path) -> None:
    steps = [
        use(call("tool_search", {"query": "host"})),
        use(call("gem.greeter.host", {"task": "Host."})),
        say("Done."),
    ]
    async with office(tmp_path, steps, gem_agent=[say("Hosted.")]) as made:
        await made.settings.change(tool_setting("chat", READ), False)
        chat = await begun(made)
        await made.approvals.permit(chat, "gem", "greeter")
        await made.chats.send(chat, GO)
        (request,) = made.models.of("gem_agent")
    assert had(request) == {READ.value}


@pytest.mark.req("GEM-022", "GEM-023")
@pytest.mark.parametrize("agent", [BuiltInAgent.PROJECT, BuiltInAgent.STUDIO])
async def test_another_agent_has_neither_until_the_user_gives_it_one(tmp_path: Path, agent: BuiltInAgent) -> None:
    job = Job(Agent(agent, "sub_agent", "You help."), "Greet.", "Greet", tools_of=agent)
    async with office(tmp_path, [], sub_agent=[say("None."), say("One."), say("Both.")]) as made:
        cause = Cause(await begun(made))
        for tool in (None, READ, SEARCH):
            if tool is not None:
                await made.settings.change(tool_setting(agent, tool), True)
            await made.chats.runner.run(job, cause)
        requests = made.models.of("sub_agent")
    assert [had(request) for request in requests] == [set(), {READ.value}, {READ.value, SEARCH.value}]
    assert ["Greeter" in request.system for request in requests] == [False, True, True]
