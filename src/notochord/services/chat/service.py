"""The conversations of an open organization, and the answers in them."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from sqlalchemy import Connection

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.ids import IdMaker
from notochord.core.paths import OrganizationFolder
from notochord.core.tasks import finish
from notochord.persistence.database import Database
from notochord.services.agents.api import (
    Agent,
    Agents,
    BuiltInAgent,
    Engaged,
    GemAgents,
    model_setting,
    tools_kept_from,
)
from notochord.services.approvals.api import ApprovalDecided, ApprovalQuestion, ApprovalRequested, Approvals
from notochord.services.chat import chat_rows, entry_rows, prompts, recovery, views
from notochord.services.chat.answers import Answers
from notochord.services.chat.api import ChatChanged, ChatTool, Entry, ModelReplaced, Outgoing, TurnBegun
from notochord.services.chat.background import Background
from notochord.services.chat.branches import find_leaf
from notochord.services.chat.catalog import ChatCatalog
from notochord.services.chat.choices import current_choice, still_there
from notochord.services.chat.delegation import SUB_AGENT, DelegateProvider
from notochord.services.chat.engagements import Engagements, gem_of, is_of_gem
from notochord.services.chat.journal_store import ChatJournalStore
from notochord.services.chat.plans import PlanProvider
from notochord.services.chat.records import ChatRecord, TitleState
from notochord.services.chat.running import RunningAnswers
from notochord.services.chat.sub_agents import SubAgentRunner
from notochord.services.chat.summaries import Summarizer
from notochord.services.chat.title_writer import TitleWriter
from notochord.services.chat.transcript import Answering, Budget
from notochord.services.chat.turns import Turns
from notochord.services.files.api import Files
from notochord.services.journal.api import Journal
from notochord.services.models.api import ChosenBy, ModelChoice, Models
from notochord.services.settings.api import Settings
from notochord.services.tools.api import Session, Tools

CHAT_AGENT = Agent(BuiltInAgent.CHAT, "chat", prompts.CHAT)

_log = logging.getLogger(__name__)
_Begin = Callable[[ChatRecord], Awaitable[ChatRecord]]


class ChatService(ChatCatalog):
    """Implements `services.chat.api.Chats`; registers its tools, and its store of the journal.

    `runner` lets the agents of gems work in conversations of their own.
    """

    def __init__(
        self,
        *,
        database: Database,
        folder: OrganizationFolder,
        clock: Clock,
        ids: IdMaker,
        events: EventBus,
        settings: Settings,
        models: Models,
        tools: Tools,
        agents: Agents,
        gem_agents: GemAgents,
        approvals: Approvals,
        files: Files,
        journal: Journal,
    ) -> None:
        running = RunningAnswers(lambda chat: events.publish(ChatChanged(chat)))
        super().__init__(
            database=database,
            folder=folder,
            clock=clock,
            ids=ids,
            events=events,
            settings=settings,
            models=models,
            approvals=approvals,
            files=files,
            running=running,
            engagements=Engagements(gem_agents, files),
        )
        background = Background(models=models, settings=settings)
        self._tools = tools
        self._budgets: dict[str, Budget] = {}
        self._subscriptions: list[Unsubscribe] = []
        self._titles = TitleWriter(database=database, events=events, background=background)
        self._turns = Turns(database=database, clock=clock, ids=ids, events=events, files=files, journal=journal)
        self._answers = Answers(
            database=database,
            clock=clock,
            ids=ids,
            events=events,
            settings=settings,
            agents=agents,
            summarizer=Summarizer(background=background, settings=settings),
            was_left=running.was_left,
        )
        journal.register(ChatJournalStore(database=database, clock=clock, ids=ids, is_busy=running.__contains__))
        tools.register(PlanProvider(approvals=approvals, leave_plan_mode=self._leave_plan_mode))
        self.runner = self._new_runner()
        tools.register(DelegateProvider(models=models, runner=self.runner))

    def _new_runner(self) -> SubAgentRunner:
        return SubAgentRunner(
            database=self._database,
            clock=self._clock,
            ids=self._ids,
            models=self._models,
            settings=self._settings,
            events=self._events,
            answers=self._answers,
            budgets=self._budgets,
        )

    async def start(self) -> None:
        """Make whole what the last end of the program cut off; every store of the journal is registered by now."""
        interrupted = await self._database.write(
            lambda connection: recovery.mark_all(connection, self._clock, self._ids)
        )
        await self._withdraw_questions(set(interrupted))
        for chat in await self._database.read(recovery.still_to_take_back):
            await _or_at_the_next_start(self._turns.take_back(chat))
        for record in await self._database.read(chat_rows.deleted):
            await _or_at_the_next_start(self._remove(record))
        self._subscriptions = [
            self._events.subscribe(ApprovalRequested, lambda event: self._approval_changed(event.approval.question)),
            self._events.subscribe(ApprovalDecided, lambda event: self._approval_changed(event.approval.question)),
        ]

    async def close(self) -> None:
        for unsubscribe in self._subscriptions:
            unsubscribe()
        await self._running.close()
        await self._titles.close()

    async def send(self, chat: str, outgoing: Outgoing, *, seed: int | None = None) -> Entry:
        if not outgoing.text.strip() and not outgoing.attachments:
            raise NotochordError(Code.INPUT_INVALID, Fault.USER, "there is nothing to send", why="why.message_empty")

        async def begin(record: ChatRecord) -> ChatRecord:
            begun = await self._turns.send(record, outgoing)
            if record.title_state is TitleState.NONE and begun.title_state is TitleState.PROVISIONAL:
                self._titles.start(chat, outgoing.text)
            return begun

        return await self._running.run(chat, lambda: self._answer(chat, begin, seed))

    async def retry(self, chat: str, entry: str, *, seed: int | None = None) -> Entry:
        return await self._running.run(
            chat, lambda: self._answer(chat, lambda record: self._turns.retry(record, entry), seed)
        )

    async def edit(self, chat: str, entry: str, text: str, *, seed: int | None = None) -> Entry:
        return await self._running.run(
            chat, lambda: self._answer(chat, lambda record: self._turns.edit(record, entry, text), seed)
        )

    async def switch_branch(self, chat: str, entry: str) -> None:
        """Raises NOT_FOUND, CHAT_BUSY."""
        if chat in self._running:
            raise NotochordError(Code.CHAT_BUSY, Fault.USER, "an answer is under way", chat=chat)
        await self._turns.switch(chat, entry)

    async def stop(self, chat: str) -> None:
        await self._record(chat)
        await self._running.stop(chat)

    async def stop_call(self, chat: str, call: str) -> bool:
        await self._record(chat)
        return self._answers.stop_call(chat, call)

    async def tools(self, chat: str) -> tuple[ChatTool, ...]:
        record, tool_set = await self._database.read(
            lambda connection: (chat_rows.get(connection, chat), chat_rows.tool_set(connection, chat))
        )
        if is_of_gem(record.role):
            return ()
        session = Session(
            caller=Caller(Actor.AGENT, CHAT_AGENT.name, Cause(record.parent or chat, record.branch)),
            folder=record.folder,
            own_folder=record.own_folder,
            agent=SUB_AGENT.name if record.parent else CHAT_AGENT.name,
            opened=tool_set.opened,
            switched_off=tools_kept_from(CHAT_AGENT.name, self._settings),
        )
        return tuple(
            ChatTool(tool.name, tool.description, tool.side_effect, tool.name not in tool_set.switched_off)
            for tool in await self._tools.list(session)
        )

    async def _answer(self, chat: str, begin: _Begin, seed: int | None) -> Entry:
        record = await self._record(chat)
        if record.parent:
            raise NotochordError(
                Code.INPUT_INVALID,
                Fault.USER,
                "a sub-agent takes messages from its agent only",
                why="why.sub_agent_chat",
            )
        engaged = await self._engagements.of(record)
        async with self._engagements.working(engaged):
            return await self._answer_as(engaged, record, begin, seed)

    async def _answer_as(self, engaged: Engaged | None, record: ChatRecord, begin: _Begin, seed: int | None) -> Entry:
        """Let an agent of a gem answer, or the assistant."""
        record, agent = await self._begun(begin, await self._with_model(record, engaged)), CHAT_AGENT
        chat, confined = record.id, None
        if engaged is not None:
            agent, confined = engaged.agent, engaged.confined
        self._events.publish(TurnBegun(chat, record.answering))
        self._events.publish(ChatChanged(chat))
        budget = self._budgets[chat] = Budget()
        answering = Answering(
            chat=chat,
            branch=record.branch,
            turn=record.answering,
            agent=agent.name,
            cause=Cause(chat, record.branch, record.answering),
            budget=budget,
            gem=gem_of(record.role),
            tools_of=CHAT_AGENT.name if engaged is None else "",
            confined=confined,
        )
        try:
            await self._answers.answer(answering, agent, seed=seed)
        finally:
            del self._budgets[chat]
        return await self._database.read(lambda connection: _last_entry(connection, chat, record.branch))

    async def _begun(self, begin: _Begin, record: ChatRecord) -> ChatRecord:
        """Begin a turn; when that fails or is cancelled, what was stored of it does not stay under way."""
        try:
            return await begin(record)
        except BaseException:
            await finish(self._answers.give_up(record.id))
            raise

    async def _with_model(self, record: ChatRecord, engaged: Engaged | None) -> ChatRecord:
        """Give a conversation whose model is gone the one that the settings lead to now (OPEN-083)."""
        choice = ModelChoice(record.model, ChosenBy(record.chosen_by))
        if await still_there(self._models, choice):
            return record
        setting = model_setting(BuiltInAgent.CHAT) if engaged is None else engaged.model
        now = await current_choice(self._models, self._settings.current(setting))
        await self._change(record.id, provider=now.model.provider, model=now.model.model, chosen_by=now.by)
        self._events.publish(ModelReplaced(record.id, record.model, now.model))
        return replace(record, model=now.model, chosen_by=now.by)

    async def _leave_plan_mode(self, chat: str) -> None:
        await self.set_plan_mode(chat, False)

    async def _withdraw_questions(self, chats: set[str]) -> None:
        """Take back questions that only the interrupted call waited for; a permission for the conversation may stay."""
        for approval in await self._approvals.pending():
            if approval.question.caller.cause.conversation in chats and not approval.question.holds:
                await self._approvals.withdraw(approval.id)

    def _approval_changed(self, question: ApprovalQuestion) -> None:
        if question.caller.cause.conversation:
            self._events.publish(ChatChanged(question.caller.cause.conversation))


async def _or_at_the_next_start(work: Awaitable[None]) -> None:
    """Let work fail for now, as for a file that cannot be deleted: that keeps nobody from the other conversations."""
    try:
        await work
    except NotochordError:
        _log.exception("what was left to do in a conversation failed; it is tried again at the next start")


def _last_entry(connection: Connection, chat: str, branch: str) -> Entry:
    last = entry_rows.get(connection, chat, find_leaf(connection, branch).entry)
    return views.entry_of(last, entry_rows.children(connection, chat, last.parent))
