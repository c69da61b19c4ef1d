"""Sub-agents: an agent hands part of its work to another one, which has a conversation and a model of its own."""

from collections.abc import Sequence

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.flat_text import flattened
from notochord.core.strict_json import Json
from notochord.services.agents.api import Agent
from notochord.services.chat import prompts
from notochord.services.chat.sub_agents import Job, SubAgentRunner
from notochord.services.models.api import ChosenBy, ModelChoice, ModelRole, Models
from notochord.services.tools.api import Session, SideEffect, ToolDefinition, ToolOutput, ToolProvider

DELEGATE = "agent.delegate"
SUB_AGENT = Agent("sub-agent", "sub_agent", prompts.SUB_AGENT)

_DESCRIPTION = (
    "Hand a self-contained part of the work to a sub-agent. It sees nothing of this conversation but the task you "
    "write, uses the same tools and folder, and returns a report. Without a role it runs on your own model."
)


class DelegateProvider(ToolProvider):
    """Offers `agent.delegate` to every agent that is not a sub-agent itself."""

    def __init__(self, *, models: Models, runner: SubAgentRunner) -> None:
        self._models = models
        self._runner = runner

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        if session.agent == SUB_AGENT.name or session.gem or not session.caller.cause.conversation:
            return ()
        return (_definition([role for role in await self._models.roles() if role.model is not None]),)

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        """Let a sub-agent do the task and return its report. Raises TOOL_ARGUMENTS, and as an answer does."""
        task, role = str(arguments["task"]), str(arguments.get("role", ""))
        choice = await self._choice(role)
        job = Job(SUB_AGENT, task, task, role, choice, project=session.project, tools_of=session.agent)
        chat, report = await self._runner.run(job, session.caller.cause)
        return ToolOutput({"sub_agent": chat, "report": report})

    async def _choice(self, role: str) -> ModelChoice | None:
        """Return the model of a named role, None without one. A role that has no model is no choice (MODEL-026)."""
        if not role:
            return None
        offered = {found.name: found.model for found in await self._models.roles() if found.model is not None}
        if role not in offered:
            raise NotochordError(
                Code.TOOL_ARGUMENTS, Fault.MODEL, f"no role {flattened(role, 60)}; there are {', '.join(offered)}"
            )
        return ModelChoice(offered[role], ChosenBy.ROLE)


def _definition(roles: Sequence[ModelRole]) -> ToolDefinition:
    properties: dict[str, Json] = {"task": {"type": "string", "minLength": 1, "maxLength": 100_000}}
    lines = []
    if roles:
        names: list[Json] = [role.name for role in roles]
        properties["role"] = {"type": "string", "enum": names}
        lines = ["Roles:", *(f"- {flattened(role.name)}: {flattened(role.description)}" for role in roles)]
    return ToolDefinition(
        name=DELEGATE,
        description="\n".join((_DESCRIPTION, *lines)),
        schema={"type": "object", "properties": properties, "required": ["task"], "additionalProperties": False},
        side_effect=SideEffect.WRITE,
        keywords=("sub-agent", "expert"),
    )
