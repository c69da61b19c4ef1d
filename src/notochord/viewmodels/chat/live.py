"""What is arriving in every conversation, heard from the start, so that switching to one loses nothing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from notochord.core.clock import Clock
from notochord.core.events import EventBus, Unsubscribe
from notochord.services.agents.api import AgentEvent, CallEnded, CallStarted, StepEnded
from notochord.services.chat.api import ChatEvent, TurnBegun
from notochord.services.models.api import Loading, ReasoningDelta, TextDelta, ToolCall, Waiting
from notochord.services.tools.api import Outcome


class Doing(StrEnum):
    """What an answer is at."""

    NOTHING = "nothing"
    THINKING = "thinking"
    WRITING = "writing"
    CALLING = "calling"
    WAITING = "waiting"
    LOADING = "loading"


@dataclass(frozen=True, slots=True)
class Activity:
    """What an answer is at: while WAITING until the monotonic second `until`, while LOADING how far (0 to 1)."""

    doing: Doing = Doing.NOTHING
    until: float = 0.0
    attempt: int = 0
    share: float = 0.0


@dataclass(slots=True)
class LiveCall:
    """A call of the step, in the order in which they were made."""

    name: str
    arguments: str
    began: float = 0.0
    outcome: Outcome | None = None


@dataclass(slots=True)
class LiveStep:
    """One model call of the answer under way; `prefix` names its pieces for good."""

    prefix: str
    said: list[str] = field(default_factory=list)
    thought: list[str] = field(default_factory=list)
    calls: dict[str, LiveCall] = field(default_factory=dict)
    ended: bool = False


@dataclass(slots=True)
class LiveAnswer:
    """The answer under way in one conversation; `number` tells it from the one before, 0 when its begin was missed."""

    number: int = 0
    steps: list[LiveStep] = field(default_factory=list)
    activity: Activity = field(default_factory=Activity)


Listener = Callable[[AgentEvent, LiveStep], None]


class LiveAnswers:
    """Keeps the answers under way; `close` stops listening."""

    def __init__(self, *, events: EventBus, clock: Clock) -> None:
        self._clock = clock
        self._answers: dict[str, LiveAnswer] = {}
        self._listeners: dict[str, list[Listener]] = {}
        self._made = 0
        self._subscriptions: list[Unsubscribe] = [
            events.subscribe(TurnBegun, lambda event: self._begin(event.chat)),
            events.subscribe(ChatEvent, self._hear),
        ]

    def of(self, chat: str) -> LiveAnswer:
        """Return what is arriving in a conversation; nothing is an answer without steps."""
        return self._answers.get(chat) or LiveAnswer()

    def watch(self, chat: str, listener: Listener) -> Unsubscribe:
        """Call `listener` with each event of the conversation's answers, after it was taken in."""
        listeners = self._listeners.setdefault(chat, [])
        listeners.append(listener)

        def unsubscribe() -> None:
            listeners.remove(listener)
            if not listeners and self._listeners.get(chat) is listeners:
                del self._listeners[chat]

        return unsubscribe

    def over(self, chat: str) -> None:
        """Forget an answer that is recorded to its end."""
        self._answers.pop(chat, None)

    def close(self) -> None:
        """Hear no more."""
        for unsubscribe in self._subscriptions:
            unsubscribe()

    def _begin(self, chat: str) -> None:
        step = self._new_step()
        self._answers[chat] = LiveAnswer(self._made, [step], Activity(Doing.THINKING))

    def _new_step(self) -> LiveStep:
        self._made += 1
        return LiveStep(f"live-{self._made}")

    def _hear(self, event: ChatEvent) -> None:
        answer = self._answers.setdefault(event.chat, LiveAnswer())
        step = self._step(answer, event.event)
        answer.activity = self._take(event.event, step, answer.activity)
        for listener in tuple(self._listeners.get(event.chat, ())):
            listener(event.event, step)

    def _step(self, answer: LiveAnswer, event: AgentEvent) -> LiveStep:
        """Return the step that an event belongs to: calls run after their step has ended."""
        belongs_to_last = isinstance(event, CallStarted | CallEnded) and answer.steps
        if not belongs_to_last and (not answer.steps or answer.steps[-1].ended):
            answer.steps.append(self._new_step())
        return answer.steps[-1]

    def _take(self, event: AgentEvent, step: LiveStep, before: Activity) -> Activity:
        match event:
            case TextDelta(text):
                step.said.append(text)
                return before if before.doing is Doing.WRITING else Activity(Doing.WRITING)
            case ReasoningDelta(text):
                step.thought.append(text)
                return before if before.doing is Doing.THINKING else Activity(Doing.THINKING)
            case Waiting(seconds, attempt):
                return Activity(Doing.WAITING, until=self._clock.monotonic() + seconds, attempt=attempt)
            case Loading(share):
                return Activity(Doing.LOADING, share=share)
            case StepEnded(reply):
                step.ended = True
                for part in reply.message.parts:
                    if isinstance(part, ToolCall):
                        step.calls.setdefault(part.id, LiveCall(part.name, part.arguments))
                return Activity(Doing.CALLING if step.calls else Doing.NOTHING)
            case CallStarted(call, name, arguments):
                step.calls[call] = LiveCall(name, arguments, began=self._clock.monotonic())
                return Activity(Doing.CALLING)
            case CallEnded(call, name, outcome):
                step.calls.setdefault(call, LiveCall(name, "")).outcome = outcome
                running = any(found.outcome is None for found in step.calls.values())
                return Activity(Doing.CALLING if running else Doing.THINKING)
