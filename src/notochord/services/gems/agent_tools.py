"""The exposed agents of gems as tools: each takes a task, does it in a session of its own, and its reply is the result.

What such an agent may use is in the record made at installation, and nowhere else (GEM-071 to GEM-077, AGENT-032).
"""

from collections.abc import Callable, Sequence

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.flat_text import flattened
from notochord.core.strict_json import Json
from notochord.core.tasks import finish
from notochord.services.agents.api import Errand, SubAgents
from notochord.services.files.api import Files, Root
from notochord.services.gems.agent_declarations import AgentRecord
from notochord.services.gems.gem_agents import engaged
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.prompt_text import is_listed
from notochord.services.gems.skill import split_name, tool_name
from notochord.services.tools.api import Consent, Session, SideEffect, ToolDefinition, ToolOutput, ToolProvider

CONSENT = "gem"
"""The kind of consent that a person gives to a gem."""

MAX_TASK_CHARACTERS = 100_000

_SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "task": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_TASK_CHARACTERS,
            "description": "What it is to do, with all that it has to know: it sees nothing else of this conversation.",
        }
    },
    "required": ["task"],
    "additionalProperties": False,
}


class GemAgentTools(ToolProvider):
    """The source of tools that are agents of gems."""

    def __init__(self, *, library: Library, files: Files, sub_agents: SubAgents) -> None:
        self._library = library
        self._files = files
        self._sub_agents = sub_agents

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        if session.gem or not session.caller.cause.conversation:
            return ()
        return self._offered(lambda gem: gem.record.id in session.opened)

    async def searchable(self, session: Session) -> Sequence[ToolDefinition]:
        return () if session.gem else self._offered(is_listed)

    async def opening(self, name: str) -> str:
        return split_name(name)[0] or name

    async def consent(self, name: str, arguments: dict[str, Json], session: Session) -> Consent:
        found = self._find(name)
        return Consent(CONSENT, found[0].record.id) if found is not None and not session.gem else Consent()

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        """Let the agent do the task; its last reply is the value, with the folder of its files if it left any.

        Raises NotochordError: FILES_CHANGED, PERM_DENIED (for an agent of a gem), and as an answer does.
        """
        found = self._find(name)
        if found is None or session.gem:
            raise NotochordError(Code.PERM_DENIED, Fault.POLICY, f"{name[:200]} is not open to you", subject=name[:200])
        gem, agent = found
        await self._library.verify(gem)
        workspace = Root(session.folder, hide_dots=True, history=True)
        run = await self._files.new_run_folder(workspace, agent.name)
        done = False
        try:
            errand = await self._errand(gem, agent, str(arguments["task"]), session, run)
            reply = await self._sub_agents.do(errand, session.caller.cause)
            done = True
        finally:
            left = await finish(self._files.end_run_folder(workspace, run, succeeded=done))
        return ToolOutput({"reply": reply, "folder": run} if left else reply)

    async def _errand(self, gem: InstalledGem, agent: AgentRecord, task: str, session: Session, run: str) -> Errand:
        found, identifier = await engaged(gem, agent, session.folder, run), gem.record.id
        return Errand(
            agent=found.agent,
            gem=identifier,
            name=f"{identifier}/{agent.name}",
            title=found.title,
            task=task,
            folder=session.folder / run,
            confined=found.confined,
            model=found.model,
            project=session.project,
        )

    def _offered(self, is_wanted: Callable[[InstalledGem], bool]) -> tuple[ToolDefinition, ...]:
        return tuple(
            _definition(gem, agent)
            for gem in self._library.all()
            if is_wanted(gem)
            for agent in gem.record.manifest.exposed_agents
        )

    def _find(self, name: str) -> tuple[InstalledGem, AgentRecord] | None:
        identifier, item = split_name(name)
        gem = self._library.get(identifier)
        agent = gem.record.manifest.agent(item) if gem is not None else None
        return (gem, agent) if gem is not None and agent is not None and agent.exposed else None


def _definition(gem: InstalledGem, agent: AgentRecord) -> ToolDefinition:
    manifest = gem.record.manifest
    return ToolDefinition(
        name=tool_name(manifest.id, agent.name),
        description=flattened(agent.description),
        schema=_SCHEMA,
        side_effect=SideEffect.WRITE,
        keywords=(flattened(manifest.name), flattened(manifest.description), manifest.id),
    )
