"""Lets an agent work for a conversation, in one of its own: the assistant's helpers, and the agents of gems."""

from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Connection

from notochord.core.caller import Cause
from notochord.core.clock import Clock
from notochord.core.events import EventBus
from notochord.core.flat_text import flattened
from notochord.core.ids import IdMaker
from notochord.core.tasks import finish
from notochord.persistence.database import Database
from notochord.services.agents.api import Agent, Errand
from notochord.services.chat import chat_rows, entry_rows
from notochord.services.chat.answers import Answers
from notochord.services.chat.api import ChatChanged, TurnBegun
from notochord.services.chat.branches import add_branch
from notochord.services.chat.choices import current_choice
from notochord.services.chat.openings import background_text, new_chat, user_entry
from notochord.services.chat.records import ChatRecord, EntryRecord, Leaf, TitleState
from notochord.services.chat.transcript import Answering, Budget
from notochord.services.models.api import ChosenBy, ModelChoice, Models, Text
from notochord.services.settings.api import Settings
from notochord.services.tools.api import Confinement

TITLE_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Job:
    """What a sub-agent is started with. Without a choice it runs on its parent's model, without a folder in its
    parent's; one with a confinement inherits no tools. `tools_of` names the agent whose choice of tools holds."""

    agent: Agent
    task: str
    title: str
    role: str = ""
    choice: ModelChoice | None = None
    gem: str = ""
    project: str = ""
    tools_of: str = ""
    folder: Path | None = None
    confined: Confinement | None = None


class SubAgentRunner:
    """Implements `services.agents.api.SubAgents`; `budgets` are those of the answers under way."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        ids: IdMaker,
        models: Models,
        settings: Settings,
        events: EventBus,
        answers: Answers,
        budgets: dict[str, Budget],
    ) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._models = models
        self._settings = settings
        self._events = events
        self._answers = answers
        self._budgets = budgets

    async def do(self, errand: Errand, cause: Cause) -> str:
        """See `SubAgents.do`; its model is settled now (MODEL-110, MODEL-111)."""
        choice = await current_choice(self._models, self._settings.current(errand.model))
        job = Job(
            agent=errand.agent,
            task=errand.task,
            title=f"{errand.title}: {errand.task}",
            role=errand.name,
            choice=choice,
            gem=errand.gem,
            project=errand.project,
            folder=errand.folder,
            confined=errand.confined,
        )
        return (await self.run(job, cause))[1]

    async def run(self, job: Job, cause: Cause) -> tuple[str, str]:
        """Let a sub-agent do a job; return its conversation and its last reply. Raises as an answer does."""
        chat = self._ids.new()
        try:
            record, entry = await self._open(chat, job, cause)
        except BaseException:
            await finish(self._answers.give_up(chat))
            raise
        self._events.publish(TurnBegun(record.id, entry.id))
        self._events.publish(ChatChanged(record.parent))
        answering = Answering(
            chat=record.id,
            branch=record.branch,
            turn=entry.id,
            agent=job.agent.name,
            cause=replace(cause, step=""),
            budget=self._budgets.get(cause.conversation) or Budget(),
            gem=job.gem,
            project=job.project,
            tools_of=job.tools_of,
            confined=job.confined,
        )
        reply = await self._answers.answer(answering, job.agent)
        return record.id, "\n\n".join(part.text for part in reply.message.parts if isinstance(part, Text))

    async def _open(self, chat: str, job: Job, cause: Cause) -> tuple[ChatRecord, EntryRecord]:
        """Store the sub-agent's conversation with its task; its model is settled now (MODEL-032)."""
        now = self._clock.milliseconds()
        branch, message = self._ids.new(), self._ids.new()
        entry = user_entry(message, branch, Leaf(), job.task, background_text(self._clock, ()), now)

        def store(connection: Connection) -> ChatRecord:
            parent = chat_rows.get(connection, cause.conversation)
            record = new_chat(
                chat,
                branch,
                folder=job.folder or parent.folder,
                own_folder=parent.own_folder,
                choice=job.choice or ModelChoice(parent.model, ChosenBy.PARENT),
                now=now,
                title=(flattened(job.title, TITLE_LENGTH), TitleState.FINAL),
                parent=parent.id,
                role=job.role,
                answering=message,
            )
            chat_rows.add(connection, record, parent_call=cause.step)
            add_branch(connection, chat, branch, after=Leaf(), now=now)
            entry_rows.add(connection, chat, entry)
            if job.confined is None:
                tools = chat_rows.tool_set(connection, parent.id)
                chat_rows.open_names(connection, chat, tools.opened)
                chat_rows.switch(connection, chat, tools.switched_off, on=False)
            return record

        return await self._database.write(store), entry
