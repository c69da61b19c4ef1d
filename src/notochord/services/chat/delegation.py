"""Sub-agents: an agent hands part of its work to another one, which has a conversation and a model of its own."""

from collections.abc import Sequence

from sqlalchemy import Connection

from notochord.core.caller import Cause
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.flat_text import flattened
from notochord.core.ids import IdMaker
from notochord.core.strict_json import Json
from notochord.core.tasks import finish
from notochord.persistence.database import Database
from notochord.services.agents.api import Agent
from notochord.services.chat import chat_rows, entry_rows, prompts
from notochord.services.chat.answers import Answers
from notochord.services.chat.api import ChatChanged, TurnBegun
from notochord.services.chat.branches import add_branch
from notochord.services.chat.openings import background_text, new_chat, user_entry
from notochord.services.chat.records import ChatRecord, EntryRecord, Leaf, TitleState
from notochord.services.chat.transcript import Answering, Budget
from notochord.services.models.api import ChosenBy, ModelChoice, ModelRole, Models, Text
from notochord.services.tools.api import Consent, Session, SideEffect, ToolDefinition, ToolOutput

DELEGATE = "agent.delegate"
SUB_AGENT = Agent("sub-agent", "sub_agent", prompts.SUB_AGENT)
TITLE_LENGTH = 60

_DESCRIPTION = (
    "Hand a self-contained part of the work to a sub-agent. It sees nothing of this conversation but the task you "
    "write, uses the same tools and folder, and returns a report. Without a role it runs on your own model."
)


class DelegateProvider:
    """Offers `agent.delegate` to every agent that is not a sub-agent itself."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        ids: IdMaker,
        models: Models,
        events: EventBus,
        answers: Answers,
        budgets: dict[str, Budget],
    ) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._models = models
        self._events = events
        self._answers = answers
        self._budgets = budgets

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        if session.agent == SUB_AGENT.name or not session.caller.cause.conversation:
            return ()
        return (_definition([role for role in await self._models.roles() if role.model is not None]),)

    async def searchable(self, session: Session) -> Sequence[ToolDefinition]:
        return ()

    async def opening(self, name: str) -> str:
        return name

    async def consent(self, name: str, arguments: dict[str, Json], session: Session) -> Consent:
        return Consent()

    async def prompt(self, session: Session) -> str:
        return ""

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        """Let a sub-agent do the task and return its report. Raises TOOL_ARGUMENTS, and as an answer does."""
        cause = session.caller.cause
        role = str(arguments.get("role", ""))
        choice = await self._choice(role)
        chat = self._ids.new()
        try:
            record, entry = await self._open(chat, str(arguments["task"]), role, choice, cause)
        except BaseException:
            await finish(self._answers.give_up(chat))
            raise
        self._events.publish(TurnBegun(record.id, entry.id))
        self._events.publish(ChatChanged(record.parent))
        answering = Answering(
            chat=record.id,
            branch=record.branch,
            turn=entry.id,
            agent=SUB_AGENT.name,
            cause=Cause(cause.conversation, cause.branch, cause.turn, cause.run),
            budget=self._budgets.get(cause.conversation) or Budget(),
        )
        reply = await self._answers.answer(answering, SUB_AGENT)
        report = "\n\n".join(part.text for part in reply.message.parts if isinstance(part, Text))
        return ToolOutput({"sub_agent": record.id, "report": report})

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

    async def _open(
        self, chat: str, task: str, role: str, choice: ModelChoice | None, cause: Cause
    ) -> tuple[ChatRecord, EntryRecord]:
        """Store the sub-agent's conversation with its task; its model is settled now (MODEL-032)."""
        now = self._clock.milliseconds()
        branch, message = self._ids.new(), self._ids.new()
        entry = user_entry(message, branch, Leaf(), task, background_text(self._clock, ()), now)

        def store(connection: Connection) -> ChatRecord:
            parent = chat_rows.get(connection, cause.conversation)
            settled = choice or ModelChoice(parent.model, ChosenBy.PARENT)
            record = new_chat(
                chat,
                branch,
                folder=parent.folder,
                own_folder=parent.own_folder,
                choice=settled,
                now=now,
                title=(flattened(task, TITLE_LENGTH), TitleState.FINAL),
                parent=parent.id,
                role=role,
                answering=message,
            )
            chat_rows.add(connection, record, parent_call=cause.step)
            add_branch(connection, chat, branch, after=Leaf(), now=now)
            entry_rows.add(connection, chat, entry)
            tools = chat_rows.tool_set(connection, parent.id)
            chat_rows.open_names(connection, chat, tools.opened)
            chat_rows.switch_off(connection, chat, tools.switched_off)
            return record

        return await self._database.write(store), entry


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
