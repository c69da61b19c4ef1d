"""Runs the calls of one step: side by side, each recorded before it starts and when it ends, however it ends."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.tasks import finish
from notochord.services.agents.api import AgentEvent, CallEnded, CallStarted, CallStops, Transcript
from notochord.services.models.api import ToolCall
from notochord.services.tools.api import Outcome, OutcomeState, Session, Tools

AT_ONCE = 8
"""Calls of one step that run at the same time; a model that writes hundreds gets them done in turn."""

CANCELLED = Outcome(
    OutcomeState.CANCELLED,
    f"{Code.CANCELLED}: the user stopped the answer while this call was under way; what it had done by then stays.",
    Code.CANCELLED,
)
STOPPED_ALONE = Outcome(
    OutcomeState.CANCELLED,
    f"{Code.CANCELLED}: the user stopped this call while it was under way; what it had done by then stays. "
    "Do not repeat it unless the user asks; go on with what you have.",
    Code.CANCELLED,
)
NEVER_STARTED = Outcome(
    OutcomeState.CANCELLED, f"{Code.CANCELLED}: the user stopped the answer before this call was run.", Code.CANCELLED
)


class CallRunner:
    """Runs calls for one answer; those that start at once (`starting`) are recorded with their reply."""

    def __init__(
        self, *, tools: Tools, transcript: Transcript, notify: Callable[[AgentEvent], None], stops: CallStops
    ) -> None:
        self._tools = tools
        self._transcript = transcript
        self._notify = notify
        self._stops = stops

    async def run(self, calls: Sequence[ToolCall], session: Session) -> tuple[Outcome, ...]:
        """Run the calls and return their outcomes in the order of the calls.

        When cancelled, every call has its end recorded before the cancellation goes on. Raises NotochordError when the
        record cannot be written; the calls still under way are stopped then.
        """
        slots = asyncio.Semaphore(AT_ONCE)
        recorded = starting(calls)
        seen: set[str] = set()
        running = [
            asyncio.create_task(self._run_one(call, session, slots, recorded, seen), name=f"call {call.id}")
            for call in calls
        ]
        try:
            return tuple(await asyncio.gather(*running))
        except BaseException:
            for task in running:
                task.cancel()
            await finish(_all_ended(running))
            with suppress(NotochordError):
                await self.refuse([call for call in calls if call.id not in seen], NEVER_STARTED)
            raise

    async def refuse(self, calls: Sequence[ToolCall], outcome: Outcome) -> tuple[Outcome, ...]:
        """Record `outcome` for calls that are not to be run."""
        for call in calls:
            await finish(self._end(call, outcome))
        return (outcome,) * len(calls)

    async def _run_one(
        self, call: ToolCall, session: Session, slots: asyncio.Semaphore, recorded: Collection[str], seen: set[str]
    ) -> Outcome:
        """Run one call; `seen` tells that it got this far, since a task can be cancelled before it takes a step."""
        seen.add(call.id)
        started = False
        try:
            async with slots:
                if call.id not in recorded:
                    await finish(self._transcript.call_started(call.id))
                started = True
                self._notify(CallStarted(call.id, call.name, call.arguments))
                outcome = await self._stoppable(call, session)
        except asyncio.CancelledError:
            await finish(self._end(call, CANCELLED if started else NEVER_STARTED))
            raise
        await finish(self._end(call, outcome))
        return outcome

    async def _stoppable(self, call: ToolCall, session: Session) -> Outcome:
        """Run the call so that it can be stopped alone; cancelling the caller cancels it and waits for its end."""
        running = asyncio.create_task(
            self._tools.call(call.name, call.arguments, _for_call(session, call)), name=f"run {call.id}"
        )
        self._stops.add(call.id, running)
        try:
            await asyncio.wait((running,))
        except asyncio.CancelledError:
            running.cancel()
            await finish(_ended(running))
            raise
        return STOPPED_ALONE if running.cancelled() else running.result()

    async def _end(self, call: ToolCall, outcome: Outcome) -> None:
        await self._transcript.call_ended(call.id, call.name, outcome)
        self._notify(CallEnded(call.id, call.name, outcome))


def starting(calls: Sequence[ToolCall]) -> tuple[str, ...]:
    """Return the ids of the calls that start at once."""
    return tuple(call.id for call in calls[:AT_ONCE])


async def _all_ended(tasks: Sequence[asyncio.Task[Outcome]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


async def _ended(task: asyncio.Task[Outcome]) -> None:
    await asyncio.wait((task,))


def _for_call(session: Session, call: ToolCall) -> Session:
    return replace(session, caller=replace(session.caller, cause=replace(session.caller.cause, step=call.id)))
