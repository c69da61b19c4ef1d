"""Agents of gems for conversations that the user has with them, as the record of the installation stands now."""

import asyncio
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.flat_text import flattened
from notochord.services.agents.api import Agent, Engaged
from notochord.services.gems.agent_declarations import AgentRecord, prompt_of
from notochord.services.gems.api import agent_model
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.installer import unknown
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.prompt_text import list_of_skill
from notochord.services.gems.skill import READ_SKILL, tool_name
from notochord.services.tools.api import Confinement

FEATURE = "gem_agent"

_FILES = (
    "Files: paths are relative to your own folder, with forward slashes. The files of the conversation are below "
    "workspace/, where you can only read."
)


class StoredGemAgents:
    """Implements `services.agents.api.GemAgents`."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def engage(self, gem: str, agent: str, workspace: Path) -> Engaged:
        installed = self._library.get(gem)
        if installed is None:
            raise unknown(gem)
        found = installed.record.manifest.agent(agent)
        if found is None:
            raise NotochordError(
                Code.NOT_FOUND, Fault.USER, f"{gem[:128]} has no agent {agent[:64]!r}", why="why.gem_agent",
                gem=gem[:128], agent=agent[:64],
            )  # fmt: skip
        await self._library.verify(installed)
        # One folder for the whole conversation: what the agent wrote for one answer it goes on with in the next.
        return await engaged(installed, found, workspace, f"runs/{found.name}")


async def engaged(gem: InstalledGem, agent: AgentRecord, workspace: Path, run: str) -> Engaged:
    """Return an agent of a gem as it works for a conversation in the folder `run` of its `workspace`."""
    manifest = gem.record.manifest
    text = await asyncio.to_thread((gem.folder / agent.entry).read_text, encoding="utf-8")
    return Engaged(
        agent=Agent(agent.name, FEATURE, _prompt(manifest, agent, prompt_of(text))),
        title=f"{flattened(manifest.name)} › {agent.name}",
        confined=confinement(manifest, agent, workspace, run),
        model=agent_model(manifest.id, agent.name),
    )


def confinement(manifest: Manifest, agent: AgentRecord, workspace: Path, run: str) -> Confinement:
    """Return what an agent is held to: its tools, those of the program that it names, and its gem's skill."""
    tools = {tool_name(manifest.id, name) for name in agent.tools} | set(agent.platform_tools)
    if manifest.has_skill:
        tools.add(READ_SKILL)
    network = manifest.network
    return Confinement(
        tools=frozenset(tools),
        workspace=workspace,
        run=run,
        hosts=network.hosts if network is not None else (),
        local=network is not None and network.local,
    )


def _prompt(manifest: Manifest, agent: AgentRecord, body: str) -> str:
    """Return the body of the agent's file, how its files are named if it has tools for them, and last its skill."""
    has_files = any(name.startswith("fs.") for name in agent.platform_tools)
    return "\n\n".join(text for text in (body, _FILES if has_files else "", list_of_skill(manifest)) if text)
