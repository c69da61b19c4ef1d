"""`notochord agent`: the agents, what they run on, and which of the program's own use gems."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext, no_arguments
from notochord.headless.exchange import done, show, tell
from notochord.headless.printable import columns
from notochord.headless.records import record
from notochord.services.agents.api import (
    AGENTS_WITH_TOOLS,
    BuiltInAgent,
    ToolOfChoice,
    model_setting,
    tool_setting,
)
from notochord.services.gems.api import ModelNotice, agent_model
from notochord.services.settings.api import Setting

CHAT = "chat"
"""The role of an agent that was given none."""


async def list_all(context: OpenContext, arguments: Arguments) -> None:
    """List the agents with their role or model and their tools."""
    current = context.services.settings.current
    found: list[tuple[str, str, list[str]]] = [
        (agent.value, current(model_setting(agent)) or CHAT, _tools(context, agent)) for agent in BuiltInAgent
    ]
    for gem in await context.services.gems.all():
        found += [
            (f"{gem.id}/{agent.name}", current(agent_model(gem.id, agent.name)) or CHAT, []) for agent in gem.agents
        ]
    value: list[Json] = [{"agent": agent, "uses": uses, "tools": record(tools)} for agent, uses, tools in found]
    await show(
        context.exchange, value, columns([(agent, uses, ", ".join(tools) or "–") for agent, uses, tools in found])
    )


async def model(context: OpenContext, arguments: Arguments) -> None:
    """Give an agent a role or a model, or take its choice back; without either, show what it uses."""
    setting = await _setting(context, arguments.agent)
    wanted = (arguments.model or "").strip()
    if wanted and arguments.default:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "a model and --default", what="--default", why="why.agent_model_twice"
        )
    if wanted:
        await _choose(context, setting, await _role_named(context, wanted))
    elif arguments.default:
        await context.services.settings.change(setting, "")
    chosen = context.services.settings.current(setting)
    notice = await _notice(context, arguments.agent, chosen)
    value: Json = {"agent": arguments.agent, "uses": chosen or CHAT, "notice": notice.value}
    await done(context.exchange, value, "agent.model", agent=arguments.agent, uses=chosen or CHAT)
    if notice is not ModelNotice.NONE:
        await tell(context.exchange, f"agent.model.{notice.value}", uses=chosen or CHAT)


async def _choose(context: OpenContext, setting: Setting[str], wanted: str) -> None:
    await context.services.models.choose(wanted)
    await context.services.settings.change(setting, wanted)


async def _role_named(context: OpenContext, wanted: str) -> str:
    """Return a role's name as it is written in the settings, whichever case it was given in."""
    roles = {role.name.lower(): role.name for role in await context.services.models.roles()}
    return roles.get(wanted.lower(), wanted)


async def _setting(context: OpenContext, name: str) -> Setting[str]:
    """Read AGENT or GEM/AGENT. Raises GEM_UNKNOWN, NOT_FOUND."""
    gem, slash, agent = name.partition("/")
    known = {found.name for found in (await context.services.gems.get(gem)).agents} if slash else set(BuiltInAgent)
    if (agent if slash else name) not in known:
        raise NotochordError(Code.NOT_FOUND, Fault.USER, f"no agent {name[:64]!r}", agent=name, why="why.agent_unknown")
    return agent_model(gem, agent) if slash else model_setting(name)


async def _notice(context: OpenContext, name: str, chosen: str) -> ModelNotice:
    """Say what there is to say of the choice: of an agent of the program only that its role has no model."""
    gem, slash, agent = name.partition("/")
    if slash:
        return await context.services.gems.grants.model_notice(gem, agent, chosen)
    without = {role.name for role in await context.services.models.roles() if role.model is None}
    return ModelNotice.NO_MODEL if (chosen or CHAT) in without else ModelNotice.NONE


async def tools(context: OpenContext, arguments: Arguments) -> None:
    """Give an agent tools or take them, from its next step on; without either, show which it has."""
    agent = BuiltInAgent(arguments.agent)
    async with context.changing:
        for names, given in ((arguments.give, True), (arguments.take, False)):
            for name in names:
                await context.services.settings.change(tool_setting(agent, ToolOfChoice(name)), given)
    now = _tools(context, agent)
    value: Json = {"agent": agent.value, "tools": record(now)}
    await done(context.exchange, value, "agent.tools" if now else "agent.tools.none", agent=agent, tools=", ".join(now))


def _tools(context: OpenContext, agent: BuiltInAgent) -> list[str]:
    if agent not in AGENTS_WITH_TOOLS:
        return []
    current = context.services.settings.current
    return [tool.value for tool in ToolOfChoice if current(tool_setting(agent, tool))]


def _declare_model(declaration: Declaration) -> None:
    declaration.add("agent", metavar="AGENT", topic="own_agent")
    declaration.add("model", metavar="PROVIDER/MODEL", nargs="?")
    declaration.add("--default", action="store_true", topic="agent.default")


def _declare_tools(declaration: Declaration) -> None:
    choices = [tool.value for tool in ToolOfChoice]
    declaration.add("agent", choices=[agent.value for agent in AGENTS_WITH_TOOLS], topic="own_agent")
    declaration.add("--give", choices=choices, action="append", default=[], topic="agent.give")
    declaration.add("--take", choices=choices, action="append", default=[], topic="agent.take")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("agent", "list"), list_all, no_arguments),
    OpenCommand(("agent", "model"), model, _declare_model),
    OpenCommand(("agent", "tools"), tools, _declare_tools),
)
