"""The loop in which a model and tools take turns until the model answers without a call."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.tasks import finish
from notochord.services.agents.api import Agent, AgentEvent, CallStops, Limits, StepEnded, Transcript
from notochord.services.agents.calls import NEVER_STARTED, CallRunner, starting
from notochord.services.agents.repeats import TOLD, Repeats
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

_UNUSABLE = frozenset({Code.TOOL_ARGUMENTS, Code.TOOL_UNKNOWN, Code.TOOL_REPEATED})

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
            reply, outcomes = await answer.step(step, limits)
            if not outcomes:
                return reply
            bad_rounds = bad_rounds + 1 if all(outcome.code in _UNUSABLE for outcome in outcomes) else 0
            if answer.told_in_vain(outcomes):
                raise NotochordError(Code.TOOL_REPEATED, Fault.MODEL, "the same failing call again and again")
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
        self._repeats = Repeats()
        self._told = 0

    def told_in_vain(self, outcomes: Sequence[Outcome]) -> bool:
        """Tell whether the model was told before not to repeat what fails, and did so at once."""
        self._told = self._told + 1 if all(outcome is TOLD for outcome in outcomes) else 0
        return self._told > 1

    async def step(self, number: int, limits: Limits) -> tuple[Reply, tuple[Outcome, ...]]:
        """Ask the model once and run its calls; return its reply and how they ended, both recorded.

        Calls whose results no further step could read are not run. Raises NotochordError: STEP_LIMIT, TOKEN_LIMIT.
        """
        session = await self._transcript.session()
        offered = await self._tools.list(session)
        reply = tidy(await self._ask(await self._request(session, offered)))
        calls = calls_of(reply)
        limit = self._limit(reply, number, limits) if calls else None
        refusal = _refusal(reply, limit) or (TOLD if calls and self._repeats.hopeless(calls) else None)
        await self._record(reply, calls, starting=() if refusal else starting(calls))
        self._notify(StepEnded(reply, len(offered)))
        if refusal is None:
            outcomes = await self._runner.run(calls, session)
            self._repeats.take(calls, outcomes)
            return reply, outcomes
        outcomes = await self._runner.refuse(calls, refusal)
        if limit is not None:
            raise limit
        return reply, outcomes

    async def _record(self, reply: Reply, calls: Sequence[ToolCall], *, starting: Sequence[str]) -> None:
        """Record a reply and, in the same breath, that its first calls start; stopped meanwhile, none of them does."""
        try:
            await finish(self._transcript.reply(reply, starting=starting))
        except asyncio.CancelledError:
            await self._runner.refuse(calls, NEVER_STARTED)
            raise

    def _limit(self, reply: Reply, number: int, limits: Limits) -> NotochordError | None:
        spent = self._transcript.spent() + reply.input_tokens + reply.output_tokens
        if 0 < limits.tokens <= spent:
            return NotochordError(Code.TOKEN_LIMIT, Fault.POLICY, f"{spent} tokens", limit=limits.tokens)
        return _step_limit(limits) if number == limits.steps else None

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
        except Exception as failure:
            code = failure.code if isinstance(failure, NotochordError) else Code.INTERNAL
            await finish(self._transcript.broken_off(said.text(), thought.text(), code))
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
                self._transcript.arriving(event.text, "")
            elif isinstance(event, ReasoningDelta):
                thought.add(event.text)
                self._transcript.arriving("", event.text)
            self._notify(event)
        raise NotochordError(Code.MODEL_STREAM_BROKEN, Fault.PROVIDER, "the stream ended without a reply")


class _Collected:
    def __init__(self) -> None:
        self._pieces: list[str] = []

    def add(self, piece: str) -> None:
        self._pieces.append(piece)

    def text(self) -> str:
        return "".join(self._pieces)


def _refusal(reply: Reply, limit: NotochordError | None) -> Outcome | None:
    """Return why no call of a reply is run: a limit, or it was cut off, and which part is missing is open."""
    if limit is not None:
        text = f"{limit.code}: not run, the answer was ended by its limit."
        return Outcome(OutcomeState.CANCELLED, text, limit.code)
    return _CUT_OFF if reply.finish is Finish.LENGTH else None


def _step_limit(limits: Limits) -> NotochordError:
    return NotochordError(Code.STEP_LIMIT, Fault.POLICY, f"{limits.steps} steps", limit=limits.steps)
