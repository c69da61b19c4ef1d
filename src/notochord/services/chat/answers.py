"""Lets an agent answer in a conversation, and leaves the record whole however the answer ends."""

import asyncio
from collections.abc import Callable

from sqlalchemy import Connection

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.tasks import finish
from notochord.persistence.database import Database
from notochord.services.agents.api import MAX_STEPS, TOKEN_LIMIT, Agent, AgentEvent, Agents, CallStops, Limits
from notochord.services.chat import chat_rows, recovery
from notochord.services.chat.api import ChatChanged, ChatEvent
from notochord.services.chat.summaries import Summarizer
from notochord.services.chat.transcript import Answering, ChatTranscript
from notochord.services.models.api import Reply
from notochord.services.settings.api import Settings


class Answers:
    """Runs the loop on the record of a conversation."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        ids: IdMaker,
        events: EventBus,
        settings: Settings,
        agents: Agents,
        summarizer: Summarizer,
        was_left: Callable[[str], bool],
    ) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._events = events
        self._settings = settings
        self._agents = agents
        self._summarizer = summarizer
        self._was_left = was_left
        self._stops: dict[str, CallStops] = {}

    def stop_call(self, chat: str, call: str) -> bool:
        """Stop one tool call of the answer under way in `chat`; tell whether it was running."""
        return chat in self._stops and self._stops[chat].stop(call)

    async def answer(self, answering: Answering, agent: Agent, *, seed: int | None = None) -> Reply:
        """Answer, and return the last reply. Raises as `services.agents.api.Agents.answer` does."""
        try:
            transcript = await ChatTranscript.open(
                database=self._database,
                clock=self._clock,
                ids=self._ids,
                settings=self._settings,
                summarizer=self._summarizer,
                answering=answering,
                was_left=lambda: self._was_left(answering.cause.conversation),
            )
        except BaseException:
            await finish(self.give_up(answering.chat))
            raise

        def notify(event: AgentEvent) -> None:
            self._events.publish(ChatEvent(answering.chat, event))

        def changed(event: ChatChanged) -> None:
            if event.chat == answering.chat:
                transcript.changed()

        unsubscribe = self._events.subscribe(ChatChanged, changed)
        stops = self._stops[answering.chat] = CallStops()
        try:
            return await self._agents.answer(agent, transcript, self._limits(), notify, seed=seed, stops=stops)
        except BaseException as failure:
            await finish(transcript.ended(_code_of(failure)))
            raise
        finally:
            del self._stops[answering.chat]
            unsubscribe()
            await finish(transcript.close())
            self._events.publish(ChatChanged(answering.chat))

    async def give_up(self, chat: str) -> None:
        """Mark a turn that was stored but never got as far as an answer, so that nobody takes it for under way."""

        def store(connection: Connection) -> None:
            record = chat_rows.find(connection, chat)
            if record is not None:
                recovery.mark_interrupted(connection, record, self._clock, self._ids)

        await self._database.write(store)

    def _limits(self) -> Limits:
        return Limits(max(1, self._settings.current(MAX_STEPS)), max(0, self._settings.current(TOKEN_LIMIT)))


def _code_of(failure: BaseException) -> Code:
    if isinstance(failure, NotochordError):
        return failure.code
    return Code.CANCELLED if isinstance(failure, asyncio.CancelledError) else Code.INTERNAL
