"""Where the loop reads a conversation and records every step of an answer."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.ids import IdMaker
from notochord.persistence.database import Database
from notochord.services.agents.api import tools_kept_from
from notochord.services.chat import arriving, chat_rows, entry_rows
from notochord.services.chat.arriving import ArrivingText
from notochord.services.chat.branches import find_leaf
from notochord.services.chat.chat_rows import ToolSet
from notochord.services.chat.records import (
    CallRecord,
    CallState,
    ChatRecord,
    EntryRecord,
    EntryState,
    Leaf,
    SummaryRecord,
)
from notochord.services.chat.summaries import Summarizer
from notochord.services.chat.window import INTERRUPTED, Window
from notochord.services.models.api import (
    ChosenBy,
    Finish,
    Message,
    ModelChoice,
    ModelRef,
    Part,
    Reply,
    Role,
    ToolCall,
)
from notochord.services.settings.api import Settings
from notochord.services.tools.api import Confinement, Outcome, Session


@dataclass(slots=True)
class Budget:
    """The tokens that an answer has cost so far; its sub-agents share it (MODEL-101 leaves background calls out)."""

    spent: int = 0


@dataclass(frozen=True, slots=True)
class Answering:
    """Which answer is recorded: `turn` is the message it belongs to, `cause` what its changes are owed to.

    A sub-agent's cause is the one of the answer that it works for, so that consent and undo reach it too
    (GEMOPEN-039); its turn is its own. `tools_of` names the agent of the program whose choice of tools holds. An agent
    of a gem is confined.
    """

    chat: str
    branch: str
    turn: str
    agent: str
    cause: Cause
    budget: Budget
    gem: str = ""
    project: str = ""
    tools_of: str = ""
    confined: Confinement | None = None

    @property
    def caller(self) -> Caller:
        return Caller(Actor.GEM, self.gem, self.cause) if self.gem else Caller(Actor.AGENT, self.agent, self.cause)


class ChatTranscript:
    """Implements `services.agents.api.Transcript` on the tables of conversations."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        ids: IdMaker,
        settings: Settings,
        summarizer: Summarizer,
        answering: Answering,
        was_left: Callable[[], bool],
        window: Window,
        leaf: Leaf,
    ) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._settings = settings
        self._summarizer = summarizer
        self._answering = answering
        self._was_left = was_left
        self._window = window
        self._leaf = leaf
        self._read: tuple[ChatRecord, ToolSet] | None = None
        self._changes = 0
        self._may_sum_up = True
        self._asked: ModelRef | None = None
        """The model of the step under way; another one may be chosen while it answers."""
        self._arriving = ArrivingText(database=database, clock=clock, chat=answering.chat)

    @classmethod
    async def open(
        cls, *, database: Database, clock: Clock, ids: IdMaker, settings: Settings, summarizer: Summarizer,
        answering: Answering, was_left: Callable[[], bool],
    ) -> "ChatTranscript":  # fmt: skip
        """Read what the model is to see of the branch; the part behind a summary is not touched.

        `was_left` tells whether a cancelled answer ends with the program, and not because the user stopped it.
        """

        def load(connection: Connection) -> tuple[Window, Leaf]:
            window = Window(*entry_rows.after_summary(connection, answering.branch))
            return window, find_leaf(connection, answering.branch)

        window, leaf = await database.read(load)
        return cls(
            database=database,
            clock=clock,
            ids=ids,
            settings=settings,
            summarizer=summarizer,
            answering=answering,
            was_left=was_left,
            window=window,
            leaf=leaf,
        )

    async def messages(self) -> tuple[Message, ...]:
        if self._may_sum_up and self._summarizer.is_due(self._window):
            await self._sum_up()
        return self._window.messages()

    def changed(self) -> None:
        """Read the conversation's own row anew at the next step: somebody changed it."""
        self._read = None
        self._changes += 1

    async def session(self) -> Session:
        chat, tools = await self._current()
        confined = self._answering.confined
        return Session(
            caller=self._answering.caller,
            folder=chat.folder if confined is None else confined.workspace / confined.run,
            own_folder=chat.own_folder,
            plan_mode=chat.plan_mode,
            agent=self._answering.agent,
            gem=self._answering.gem,
            project=self._answering.project,
            opened=tools.opened,
            switched_off=tools.switched_off | tools_kept_from(self._answering.tools_of, self._settings),
            confined=confined,
        )

    async def choice(self) -> ModelChoice:
        chat, _ = await self._current()
        self._asked = chat.model
        return ModelChoice(chat.model, ChosenBy(chat.chosen_by))

    def spent(self) -> int:
        return self._answering.budget.spent

    def arriving(self, said: str, thought: str) -> None:
        self._arriving.add(said, thought)

    async def reply(self, reply: Reply, *, starting: Collection[str]) -> None:
        self._answering.budget.spent += reply.input_tokens + reply.output_tokens
        calls = tuple(
            CallRecord(part.id, part.name, CallState.RUNNING if part.id in starting else CallState.RECORDED)
            for part in reply.message.parts
            if isinstance(part, ToolCall)
        )
        entry = replace(
            self._next_entry(reply.message.parts),
            state=EntryState.CUT_OFF if reply.finish is Finish.LENGTH and not calls else EntryState.DONE,
            model=self._asked,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            calls=calls,
        )
        await self._append(entry, ends=not calls)

    async def broken_off(self, text: str, reasoning: str, code: Code) -> None:
        parts = arriving.parts_of(text, reasoning)
        entry = replace(self._next_entry(parts), state=self._state(code), error=code, model=self._asked)
        await self._append(entry, ends=True, failed=code is not Code.CANCELLED)

    async def call_started(self, call: str) -> None:
        entry = self._leaf.entry
        await self._database.write(
            lambda connection: entry_rows.change_call(connection, entry, call, state=CallState.RUNNING)
        )

    async def call_ended(self, call: str, name: str, outcome: Outcome) -> None:
        state, text = CallState(outcome.state.value), outcome.text
        if state is CallState.CANCELLED and self._was_left():
            state, text = CallState.INTERRUPTED, INTERRUPTED[CallState.RUNNING]
        ended = CallRecord(call, name, state, text, outcome.code, outcome.milliseconds, outcome.reason)
        entry = self._leaf.entry

        def store(connection: Connection) -> None:
            entry_rows.change_call(
                connection,
                entry,
                call,
                state=ended.state,
                text=ended.text,
                code=ended.code,
                milliseconds=ended.milliseconds,
                reason=ended.reason,
            )
            chat_rows.open_names(connection, self._answering.chat, outcome.opens)

        await self._database.write(store)
        self._window.end_call(ended)
        if outcome.opens:
            self.changed()

    async def ended(self, code: Code) -> None:
        """Record that the answer ended early, unless that is recorded already; the last entry carries the reason."""
        last = self._window.entries[-1] if self._window.entries else None
        if last is None or last.role is Role.USER:
            await self.broken_off("", "", code)
            return
        if last.state is not EntryState.DONE:
            return
        failed = code is not Code.CANCELLED
        kept = await self._arriving.settle()

        def store(connection: Connection) -> None:
            if kept:
                arriving.forget(connection, self._answering.chat)
            entry_rows.change(connection, last.id, state=self._state(code), error=code)
            chat_rows.change(connection, self._answering.chat, answering="", failed=int(failed))

        await self._database.write(store)

    async def close(self) -> None:
        """Keep no more of what arrives."""
        await self._arriving.close()

    def _state(self, code: Code) -> EntryState:
        if code is not Code.CANCELLED:
            return EntryState.FAILED
        return EntryState.INTERRUPTED if self._was_left() else EntryState.CANCELLED

    async def _current(self) -> tuple[ChatRecord, ToolSet]:
        """Return what the conversation is set to now; what is read while it changes is not kept."""
        if self._read is not None:
            return self._read
        before, identifier = self._changes, self._answering.chat

        def load(connection: Connection) -> tuple[ChatRecord, ToolSet]:
            return chat_rows.get(connection, identifier), chat_rows.tool_set(connection, identifier)

        found = await self._database.read(load)
        if before == self._changes:
            self._read = found
        return found

    def _next_entry(self, parts: tuple[Part, ...]) -> EntryRecord:
        return EntryRecord(
            id=self._ids.new(),
            branch=self._answering.branch,
            depth=self._leaf.depth + 1,
            parent=self._leaf.entry,
            turn=self._answering.turn,
            role=Role.ASSISTANT,
            parts=parts,
            background="",
            at=self._clock.milliseconds(),
        )

    async def _append(self, entry: EntryRecord, *, ends: bool, failed: bool = False) -> None:
        chat, turn = self._answering.chat, "" if ends else self._answering.turn
        kept = await self._arriving.settle()

        def store(connection: Connection) -> None:
            if kept:
                arriving.forget(connection, chat)
            entry_rows.add(connection, chat, entry)
            chat_rows.change(connection, chat, answering=turn, failed=int(failed), changed_at=entry.at)

        await self._database.write(store)
        self._window.append(entry)
        self._leaf = Leaf(entry.id, entry.depth, entry.branch)

    async def _sum_up(self) -> None:
        """Sum up the older part; without a summary this answer goes on with the full history (MODEL-078)."""
        text = await self._summarizer.write(self._window, self._answering.chat)
        if not text:
            self._may_sum_up = False
            return
        upto = self._window.older()[-1]
        now = self._clock.milliseconds()
        summary = SummaryRecord(self._ids.new(), upto.branch, upto.depth, upto.id, text, now)
        chat = self._answering.chat
        await self._database.write(lambda connection: entry_rows.add_summary(connection, chat, summary))
        self._window.summed_up(summary)
