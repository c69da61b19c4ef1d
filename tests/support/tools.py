"""A source of tools for tests, and approvals that answer from a script."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.strict_json import Json
from notochord.services.tools.api import Consent, Session, SideEffect, ToolDefinition, ToolOutput

Work = Callable[[dict[str, Json], Session], Awaitable[ToolOutput]]
PATH_SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["path"],
    "additionalProperties": False,
}


def tool(
    name: str,
    description: str = "A tool.",
    *,
    schema: dict[str, Json] | None = None,
    effect: SideEffect = SideEffect.READ,
    keywords: tuple[str, ...] = (),
) -> ToolDefinition:
    return ToolDefinition(name, description, PATH_SCHEMA if schema is None else schema, effect, keywords)


def session(*, conversation: str = "c", plan_mode: bool = False, switched_off: Sequence[str] = ()) -> Session:
    caller = Caller(Actor.AGENT, "chat", Cause(conversation=conversation, turn="t"))
    return Session(caller, Path("/nowhere"), plan_mode=plan_mode, switched_off=frozenset(switched_off))


async def echo(arguments: dict[str, Json], session: Session) -> ToolOutput:
    return ToolOutput(arguments)


class Source:
    """A provider whose tools do `work`; what ran is in `ran`."""

    def __init__(
        self,
        *listed: ToolDefinition,
        work: Work = echo,
        consent: Consent = Consent(),  # noqa: B008 - frozen
        hidden: Sequence[ToolDefinition] = (),
        text: str = "",
    ) -> None:
        self.listed = listed
        self.hidden = hidden
        self.work = work
        self.needed = consent
        self.text = text
        self.ran: list[tuple[str, dict[str, Json], Session]] = []
        self.started = asyncio.Event()

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        opened = [each for each in self.hidden if await self.opening(each.name) in session.opened]
        return (*self.listed, *opened)

    async def searchable(self, session: Session) -> Sequence[ToolDefinition]:
        return (*self.listed, *self.hidden)

    async def opening(self, name: str) -> str:
        return name.rpartition(".")[0] if name.startswith("gem.") else name

    async def consent(self, name: str, arguments: dict[str, Json], session: Session) -> Consent:
        return self.needed

    async def prompt(self, session: Session) -> str:
        return self.text

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        self.ran.append((name, arguments, session))
        self.started.set()
        return await self.work(arguments, session)
