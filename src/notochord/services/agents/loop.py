"""The loop in which a model and tools take turns until the model answers without a call."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.tasks import finish
from notochord.services.agents.api import Agent, AgentEvent, CallStops, Limits, StepEnded, Transcript
from notochord.services.agents.calls import CallRunner
from notochord.services.agents.replies import calls_of, tidy
from notochord.services.models.api import (
    Finish,
    ModelEvent,
    ModelRequest,
    Models,
    ReasoningDelta,
    Reply,
    TextDelta,
    ToolCall,
    ToolSpec,
)
from notochord.services.tools.api import Outcome, OutcomeState, Session, ToolDefinition, Tools

BAD_ROUNDS = 4
"""So many steps in a row in which no call could be run at all end the answer (fault B14)."""

_UNUSABLE = frozenset({Code.TOOL_ARGUMENTS, Code.TOOL_UNKNOWN})

_CUT_OFF = Outcome(
    OutcomeState.FAILED,
    f"{Code.TOOL_ARGUMENTS}: not run. The reply reached the model's output limit, so the arguments may be incomplete. "
    "Write less at once, for example the content in several smaller calls.",
    Code.TOOL_ARGUMENTS,
)


class AgentLoop:
    """Implements `services.agents.api.Agents`."""

    def __init__(self, *, models: Models, tools: Tools) -> None:
        self._models = models
        self._tools = tools

    async def answer(
        self,
        agent: Agent,
        transcript: Transcript,
        limits: Limits,
        notify: Callable[[AgentEvent], None],
        *,
        seed: int | None = None,
        stops: CallStops | None = None,
    ) -> Reply:
        runner = CallRunner(tools=self._tools, transcript=transcript, notify=notify, stops=stops or CallStops())
        answer = _Answer(self._models, self._tools, agent, transcript, notify, runner, seed)
        bad_rounds = 0
        for step in range(1, limits.steps + 1):
            session = await transcript.session()
            reply = await answer.step(session)
            calls = calls_of(reply)
            if not calls:
                return reply
            await answer.check_limits(calls, step, limits)
            outcomes = await answer.run(reply, calls, session)
            bad_rounds = bad_rounds + 1 if all(outcome.code in _UNUSABLE for outcome in outcomes) else 0
            if bad_rounds == BAD_ROUNDS:
                raise NotochordError(Code.TOOL_ARGUMENTS, Fault.MODEL, f"{BAD_ROUNDS} steps without a usable call")
        raise _step_limit(limits)


class _Answer:
    """What one answer works with."""

    def __init__(
        self,
        models: Models,
        tools: Tools,
        agent: Agent,
        transcript: Transcript,
        notify: Callable[[AgentEvent], None],
        runner: CallRunner,
        seed: int | None,
    ) -> None:
        self._models = models
        self._tools = tools
        self._agent = agent
        self._transcript = transcript
        self._notify = notify
        self._seed = seed
        self._runner = runner

    async def step(self, session: Session) -> Reply:
        """Ask the model once, and return its reply when that is recorded."""
        offered = await self._tools.list(session)
        reply = tidy(await self._ask(await self._request(session, offered)))
        await finish(self._transcript.reply(reply))
        self._notify(StepEnded(reply, len(offered)))
        return reply

    async def run(self, reply: Reply, calls: Sequence[ToolCall], session: Session) -> tuple[Outcome, ...]:
        """Run the calls of a reply, unless the reply was cut off: then none is, since which part is missing is open."""
        if reply.finish is Finish.LENGTH:
            return await self._runner.refuse(calls, _CUT_OFF)
        return await self._runner.run(calls, session)

    async def check_limits(self, calls: Sequence[ToolCall], step: int, limits: Limits) -> None:
        """Refuse the calls whose results no further step could read. Raises NotochordError: STEP_LIMIT, TOKEN_LIMIT."""
        spent = self._transcript.spent()
        if 0 < limits.tokens <= spent:
            failure = NotochordError(Code.TOKEN_LIMIT, Fault.POLICY, f"{spent} tokens", limit=limits.tokens)
        elif step == limits.steps:
            failure = _step_limit(limits)
        else:
            return
        text = f"{failure.code}: not run, the answer was ended by its limit."
        await self._runner.refuse(calls, Outcome(OutcomeState.CANCELLED, text, failure.code))
        raise failure

    async def _request(self, session: Session, offered: Sequence[ToolDefinition]) -> ModelRequest:
        sources = await self._tools.prompts(session)
        return ModelRequest(
            choice=await self._transcript.choice(),
            feature=self._agent.feature,
            caller=session.caller,
            system="\n\n".join(text for text in (self._agent.prompt, sources) if text),
            messages=await self._transcript.messages(),
            tools=tuple(ToolSpec(tool.name, tool.description, tool.schema) for tool in offered),
            seed=self._seed,
        )

    async def _ask(self, request: ModelRequest) -> Reply:
        said, thought = _Collected(), _Collected()
        events = self._models.stream(request)
        try:
            return await self._listen(events, said, thought)
        except asyncio.CancelledError:
            await finish(self._transcript.broken_off(said.text(), thought.text(), Code.CANCELLED))
            raise
        except NotochordError as failure:
            await finish(self._transcript.broken_off(said.text(), thought.text(), failure.code))
            raise
        finally:
            if isinstance(events, AsyncGenerator):
                await events.aclose()

    async def _listen(self, events: AsyncIterator[ModelEvent], said: "_Collected", thought: "_Collected") -> Reply:
        async for event in events:
            if isinstance(event, Reply):
                return event
            if isinstance(event, TextDelta):
                said.add(event.text)
            elif isinstance(event, ReasoningDelta):
                thought.add(event.text)
            self._notify(event)
        raise NotochordError(Code.MODEL_STREAM_BROKEN, Fault.PROVIDER, "the stream ended without a reply")


class _Collected:
    def __init__(self) -> None:
        self._pieces: list[str] = []

    def add(self, piece: str) -> None:
        self._pieces.append(piece)

    def text(self) -> str:
        return "".join(self._pieces)


def _step_limit(limits: Limits) -> NotochordError:
    return NotochordError(Code.STEP_LIMIT, Fault.POLICY, f"{limits.steps} steps", limit=limits.steps)
