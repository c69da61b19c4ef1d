"""`notochord agent`: the program's own agents, what they run on, and whether they use gems."""

from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext, no_arguments
from notochord.headless.exchange import done, show
from notochord.headless.printable import columns
from notochord.headless.records import record
from notochord.services.agents.api import (
    AGENTS_WITH_TOOLS,
    BuiltInAgent,
    ToolOfChoice,
    model_setting,
    tool_setting,
)


async def list_all(context: OpenContext, arguments: Arguments) -> None:
    """List the agents with their role or model and their tools."""
    settings = context.services.settings
    found: list[tuple[str, str, list[str]]] = [
        (agent.value, settings.current(model_setting(agent)) or "chat", _tools(context, agent))
        for agent in BuiltInAgent
    ]
    value: list[Json] = [{"agent": agent, "uses": uses, "tools": record(tools)} for agent, uses, tools in found]
    await show(
        context.exchange, value, columns([(agent, uses, ", ".join(tools) or "–") for agent, uses, tools in found])
    )


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


def _declare_tools(declaration: Declaration) -> None:
    choices = [tool.value for tool in ToolOfChoice]
    declaration.add("agent", choices=[agent.value for agent in AGENTS_WITH_TOOLS], topic="own_agent")
    declaration.add("--give", choices=choices, action="append", default=[], topic="agent.give")
    declaration.add("--take", choices=choices, action="append", default=[], topic="agent.take")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("agent", "list"), list_all, no_arguments),
    OpenCommand(("agent", "tools"), tools, _declare_tools),
)
