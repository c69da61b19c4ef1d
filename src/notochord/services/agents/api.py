"""The door to agents: the loop in which a model and tools take turns, durable at every step."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeAlias

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.services.models.api import Loading, Message, ModelChoice, ReasoningDelta, Reply, TextDelta, Waiting
from notochord.services.settings.api import Setting, Settings
from notochord.services.tools.api import Confinement, Outcome, Session

MAX_STEPS = Setting("agents.max_steps", 50)
TOKEN_LIMIT = Setting("agents.token_limit", 0)


class BuiltInAgent(StrEnum):
    """The agents that the program itself brings, in the order in which the settings list them (MODEL-036)."""

    PROJECT = "project"
    CHAT = "chat"
    STUDIO = "studio"
    BACKGROUND = "background"


def model_setting(agent: str) -> Setting[str]:
    """Return the setting that gives an agent its role or model; empty means the role `chat` (MODEL-037, MODEL-038)."""
    return Setting(f"agents.model.{agent}", "")


class ToolOfChoice(StrEnum):
    """The tools that the user gives an agent of the program, or takes from it (GEM-020 to GEM-023)."""

    READ_SKILL = "read_skill"
    TOOL_SEARCH = "tool_search"


AGENTS_WITH_TOOLS = (BuiltInAgent.PROJECT, BuiltInAgent.CHAT, BuiltInAgent.STUDIO)
"""Those that work with tools; what an agent of a gem may use is settled by its file alone (GEM-070)."""


def tool_setting(agent: str, tool: ToolOfChoice) -> Setting[bool]:
    """Return the setting that says whether an agent has a tool; by itself only `chat` has (GEM-018, GEM-019)."""
    return Setting(f"agents.tool.{agent}.{tool}", agent == BuiltInAgent.CHAT)


def tools_kept_from(agent: str, settings: Settings) -> frozenset[str]:
    """Return which of these tools an agent of the program does not have now; none are kept from another one."""
    if agent not in AGENTS_WITH_TOOLS:
        return frozenset()
    return frozenset(tool.value for tool in ToolOfChoice if not settings.current(tool_setting(agent, tool)))


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends an answer: steps (model calls), and tokens in and out over all of them; 0 for no token limit."""

    steps: int = 50
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class CallStarted:
    call: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class CallEnded:
    call: str
    name: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class StepEnded:
    """A model call is over and recorded; `tools_offered` counts the tools in the session's list."""

    reply: Reply
    tools_offered: int


AgentEvent: TypeAlias = TextDelta | ReasoningDelta | Waiting | Loading | CallStarted | CallEnded | StepEnded


class Transcript(Protocol):
    """Where the loop reads the conversation and records every step; what is recorded is durable on return."""

    async def messages(self) -> tuple[Message, ...]:
        """Return what the model is to read: the summary if there is one, then the messages, results complete."""

    async def reply(self, reply: Reply, *, starting: Collection[str]) -> None:
        """Record an answer with its calls, before any of them runs; those in `starting` as about to run at once."""

    def arriving(self, said: str, thought: str) -> None:
        """Take in what came of the reply under way, to be kept soon in case the program is killed meanwhile."""

    async def broken_off(self, text: str, reasoning: str, code: Code) -> None:
        """Record what had come of an answer when it was stopped (CANCELLED) or failed; both texts may be empty."""

    async def call_started(self, call: str) -> None:
        """Record that a call is about to run that was not among those starting with their reply."""

    async def call_ended(self, call: str, name: str, outcome: Outcome) -> None:
        """Record how a call ended, and what it opened."""

    async def session(self) -> Session:
        """Return the session as it is now: opened gems, switched-off tools, plan mode."""

    async def choice(self) -> ModelChoice:
        """Return the model for the next step."""

    def spent(self) -> int:
        """Return the tokens in and out that this answer has cost so far, those of its sub-agents included."""


@dataclass(frozen=True, slots=True)
class Agent:
    """Who answers: a name, the feature its model calls count for, and the beginning of its system prompt."""

    name: str
    feature: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Errand:
    """A task for an agent of a gem, which does it in a conversation of its own and reads nothing but `task`.

    `title` is what people see; `name` tells which gem and agent it is, `folder` is where it works. `model` is the
    setting with its role or model, `project` the project that its caller works for.
    """

    agent: Agent
    gem: str
    name: str
    title: str
    task: str
    folder: Path
    confined: Confinement
    model: Setting[str]
    project: str = ""


@dataclass(frozen=True, slots=True)
class Engaged:
    """An agent of a gem as it answers the user in a conversation with it; `model` is the setting with its model."""

    agent: Agent
    title: str
    confined: Confinement
    model: Setting[str]


class GemAgents(Protocol):
    """The agents of the installed gems, for conversations that the user has with them from the pages of their gems."""

    async def engage(self, gem: str, agent: str, workspace: Path) -> Engaged:
        """Return an agent as it stands now, exposed or not (AGENT-028), for a conversation in the folder `workspace`.

        Raises NotochordError: GEM_UNKNOWN, NOT_FOUND (it has no such agent), FILES_CHANGED.
        """


class SubAgents(Protocol):
    """Lets agents work for a conversation, each in one of its own that the user can look at."""

    async def do(self, errand: Errand, cause: Cause) -> str:
        """Do an errand for the tool call that `cause` names, and return the last reply. Cancelling stops it.

        Raises NotochordError: MODEL_NOT_CHOSEN, CHAT_UNKNOWN (the cause is no conversation), and as an answer does.
        """


class CallStops:
    """Lets whoever owns an answer stop one of its tool calls; the answer goes on with what the others gave."""

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[Outcome]] = {}

    def add(self, call: str, task: asyncio.Task[Outcome]) -> None:
        """Make a call that runs one that can be stopped, until it ends."""
        self._running[call] = task
        task.add_done_callback(lambda _: self._running.pop(call, None))

    def stop(self, call: str) -> bool:
        """Stop a call; tell whether it was under way."""
        task = self._running.get(call)
        return task is not None and task.cancel()


class Agents(Protocol):
    """Runs the loop."""

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
        """Let the agent work until it answers without a call, and return that last reply.

        Cancelling ends it at any point; calls under way are recorded as cancelled. Raises NotochordError: STEP_LIMIT,
        TOKEN_LIMIT, TOOL_ARGUMENTS (the model kept writing calls that could not be run), TOOL_REPEATED (it kept making
        the same failing call), and as `services.models`.
        """
