"""The door to tools: one registry, one place that checks arguments, rights, consent and plan mode."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from notochord.core.caller import Caller
from notochord.core.strict_json import Json


class SideEffect(StrEnum):
    """What a tool says of itself; in plan mode only READ runs (MAN-034 to MAN-037)."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"


@dataclass(frozen=True, slots=True)
class Consent:
    """What a person must have agreed to before the tool runs: nothing (`kind` empty), or (kind, subject).

    With `every_time` an earlier yes does not count.
    """

    kind: str = ""
    subject: str = ""
    every_time: bool = False


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool. Names have dots: `fs.cat`, `gem.<gem id>.<name>`. `schema` is a JSON Schema (2020-12) of an object."""

    name: str
    description: str
    schema: dict[str, Json]
    side_effect: SideEffect
    keywords: tuple[str, ...] = ()
    """What `tool_search` finds it by beside name and description, such as the gem's name."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """What an agent of a gem is held to, by the record made at the gem's installation.

    No tools but those in `tools` are listed or run. `workspace` is the folder of the conversation it works for, which
    its file tools only read; `run` is the path of its own folder below that. `hosts` and `local` are the gem's network.
    """

    tools: frozenset[str]
    workspace: Path
    run: str
    hosts: tuple[str, ...] = ()
    local: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """For whom tools are listed and run: one agent in one conversation.

    `opened` names what was opened in the conversation so far (gem ids, tool names); `folder` is its working folder;
    `own_folder` tells that it is not one the user chose. `agent` is the agent's name; `gem` the gem it belongs to,
    which confines it. `project` is the id of the project that the agent works for: gems then use only the accounts
    that are checked in its settings.
    """

    caller: Caller
    folder: Path
    own_folder: bool = True
    plan_mode: bool = False
    agent: str = "chat"
    gem: str = ""
    project: str = ""
    opened: frozenset[str] = field(default_factory=frozenset)
    switched_off: frozenset[str] = field(default_factory=frozenset)
    confined: Confinement | None = None


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool gives back: a JSON value, and what the session may use from the next step on."""

    value: Json
    opens: tuple[str, ...] = ()


class OutcomeState(StrEnum):
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended, as the model is told (`text`) and as it is recorded.

    `reason` has what the sentence of `code` for people is filled with, as JSON, where that says more than the code.
    `milliseconds` is how long it worked; the time for which a person was asked is not counted.
    """

    state: OutcomeState
    text: str
    code: str = ""
    opens: tuple[str, ...] = ()
    milliseconds: int = 0
    reason: str = ""


class ToolProvider(Protocol):
    """A source of tools. It checks neither arguments nor consent: the registry did.

    One that derives from this has nothing to be searched or to be asked for, and says nothing in the prompt.
    """

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        """Return the tools that are in the session's list at this step."""

    async def searchable(self, session: Session) -> Sequence[ToolDefinition]:
        """Return every tool that `tool_search` may find; finding one opens `opening(name)`."""
        return ()

    async def opening(self, name: str) -> str:
        """Return what has to be opened for a searchable tool to be listed (a gem's id, or the tool's own name)."""
        return name

    async def consent(self, name: str, arguments: dict[str, Json], session: Session) -> Consent:
        """Return what the user must have agreed to for this very call.

        Raises NotochordError for a call that would be refused after a yes.
        """
        return Consent()

    async def prompt(self, session: Session) -> str:
        """Return what the session's system prompt says about this source; empty for nothing."""
        return ""

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        """Run a tool. Raises NotochordError; cancelling the task stops it. The session's cause has the call's step."""


class Tools(Protocol):
    """The registry."""

    def register(self, provider: ToolProvider) -> None:
        """Add a source; at start only."""

    async def list(self, session: Session) -> tuple[ToolDefinition, ...]:
        """Return the session's tools at this step, sorted by name; in plan mode only those that read."""

    async def prompts(self, session: Session) -> str:
        """Return what the sources put into the system prompt."""

    def check(self, definition: ToolDefinition, arguments: Json) -> dict[str, Json]:
        """Return the arguments as the tool gets them: `null` for an optional one is left out (TOOL-030).

        Raises NotochordError(TOOL_ARGUMENTS) whose detail says which argument is wrong and how (TOOL-021 to TOOL-024).
        """

    async def call(self, name: str, arguments: str, session: Session) -> Outcome:
        """Check and run a call that a model wrote; `arguments` is its raw text. Never raises but CancelledError.

        Waits for consent where that is needed. The text of a failure names its code and what to do, for the model.
        """
