"""What lies in the tables of conversations, as values."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from notochord.services.models.api import ModelRef, Part, Role, ToolCall


class EntryState(StrEnum):
    """CUT_OFF: the answer reached the model's output limit and was not said to its end."""

    DONE = "done"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    CANCELLED = "cancelled"
    CUT_OFF = "cut_off"


class CallState(StrEnum):
    """How far a call got; the last four are those of `services.tools.api.OutcomeState`."""

    RECORDED = "recorded"
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    CANCELLED = "cancelled"


class TitleState(StrEnum):
    """PROVISIONAL is the beginning of the first message; FINAL was generated or typed by the user."""

    NONE = "none"
    PROVISIONAL = "provisional"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class ChatRecord:
    id: str
    parent: str
    role: str
    title: str
    title_state: TitleState
    pinned: bool
    folder: Path
    own_folder: bool
    model: ModelRef
    chosen_by: str
    plan_mode: bool
    branch: str
    answering: str
    failed: bool
    changed_at: int


@dataclass(frozen=True, slots=True)
class CallRecord:
    call: str
    name: str
    state: CallState
    text: str = ""
    code: str = ""
    milliseconds: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """A message of the user, or a reply with the calls that belong to it and how they ended."""

    id: str
    branch: str
    depth: int
    parent: str
    turn: str
    role: Role
    parts: tuple[Part, ...]
    background: str
    at: int
    state: EntryState = EntryState.DONE
    error: str = ""
    model: ModelRef | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    calls: tuple[CallRecord, ...] = ()
    attachments: tuple[str, ...] = ()

    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCall))


@dataclass(frozen=True, slots=True)
class SummaryRecord:
    id: str
    branch: str
    depth: int
    upto: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where a branch ends; depth -1 and no entry for an empty one."""

    entry: str = ""
    depth: int = -1
    branch: str = ""
