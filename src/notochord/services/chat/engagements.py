"""Conversations that the user has with an agent of a gem: who answers in them, and in which folder it works."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.tasks import finish
from notochord.services.agents.api import Engaged, GemAgents
from notochord.services.chat.records import ChatRecord
from notochord.services.files.api import Files, Root


def is_of_gem(role: str) -> bool:
    """Tell whether a conversation is that of a gem's agent, by `Errand.name`: no role has a slash in its name."""
    return "/" in role


def gem_of(role: str) -> str:
    """Return the gem whose agent a conversation is with, "" for one with the assistant."""
    return role.partition("/")[0] if is_of_gem(role) else ""


def no_plans() -> NotochordError:
    """Return the error for plan mode with an agent of a gem, which has no tool to propose a plan with."""
    return NotochordError(Code.INPUT_INVALID, Fault.USER, "an agent of a gem makes no plans", why="why.gem_agent_plan")


@dataclass(frozen=True, slots=True)
class Engagements:
    """The agent is looked up anew for each answer: its gem may have been upgraded, changed or removed since."""

    gem_agents: GemAgents
    files: Files

    async def of(self, record: ChatRecord) -> Engaged | None:
        """Return who answers in a conversation, None for the assistant. Raises as `GemAgents.engage`."""
        return await self.named(record.role, record.folder) if is_of_gem(record.role) else None

    async def named(self, role: str, folder: Path) -> Engaged:
        """Return the agent that `role` names, for a conversation in `folder`. Raises as `GemAgents.engage`."""
        gem, _, agent = role.partition("/")
        return await self.gem_agents.engage(gem, agent, folder)

    @asynccontextmanager
    async def working(self, engaged: Engaged | None) -> AsyncIterator[None]:
        """Give the agent its own folder while it answers; one in which nothing was left goes away (PERM-079)."""
        if engaged is None:
            yield
            return
        root, run = Root(engaged.confined.workspace, hide_dots=True, history=False), engaged.confined.run
        await self.files.make_folder(root, run)
        done = False
        try:
            yield
            done = True
        finally:
            await finish(self.files.end_run_folder(root, run, succeeded=done))
