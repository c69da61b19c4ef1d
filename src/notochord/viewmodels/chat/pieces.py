"""What a conversation's transcript is made of: texts, tool calls, plans, questions, failures, dividers."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from notochord.core.errors import NotochordError
from notochord.services.approvals.api import Approval
from notochord.viewmodels.chat.failures import as_failure


class Who(StrEnum):
    """Whose words a text is."""

    USER = "user"
    ASSISTANT = "assistant"
    REASONING = "reasoning"


class CallState(StrEnum):
    """How far a call is; the names are those of `services.chat.api.Call.state`."""

    RECORDED = "recorded"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it."""
        return self not in (CallState.RECORDED, CallState.RUNNING)


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the user or the model. `key` stays the same while it streams and after it was recorded.

    `entry` is its record's id, empty while it streams. `siblings` are the alternatives that can be gone to from
    here, and `among` is the one of them that is shown: the text's own entry, or the one that its answer began with.
    `leads` tells that it is the first piece of its message, which says who speaks.
    """

    key: str
    entry: str
    who: Who
    text: str
    at: int = 0
    model: str = ""
    siblings: tuple[str, ...] = ()
    streaming: bool = False
    leads: bool = True
    among: str = ""


@dataclass(frozen=True, slots=True)
class CallMade:
    """A tool call: its exact arguments and what came of it. `began` counts on the monotonic hand, 0 when not known."""

    key: str
    entry: str
    call: str
    name: str
    arguments: str
    state: CallState
    result: str = ""
    code: str = ""
    milliseconds: int = 0
    began: float = 0.0
    approval: Approval | None = None
    files: tuple[str, ...] = ()
    """Paths in the conversation's folder that the call produced, as far as its result names them."""

    reason: str = ""

    @property
    def failure(self) -> NotochordError | None:
        """What it failed of, if people can do something about it."""
        return as_failure(self.code, self.reason)

    @property
    def lacks(self) -> str:
        """The gem on whose page the user can allow what the call lacked; "" if it is nothing of that kind."""
        failure = self.failure
        return str(failure.parameters.get("gem", "")) if failure is not None else ""


@dataclass(frozen=True, slots=True)
class PlanProposed:
    """A plan to be decided on; `approval` while it waits. `note` is what the user added to the answer.

    One that is `rejected` is not to be proposed again; one that is neither that nor approved is to be changed.
    """

    key: str
    entry: str
    call: str
    plan: str
    state: CallState
    approved: bool = False
    note: str = ""
    approval: Approval | None = None
    rejected: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that belongs to no call shown here, such as one of a sub-agent."""

    key: str
    approval: Approval


@dataclass(frozen=True, slots=True)
class Attached:
    """Files that a message took along."""

    key: str
    entry: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """How an answer ended early. `last`: nothing follows, so that something can be done about it.

    `state` is "failed", "cancelled", "interrupted", "cut_off", or "wordless": it ended as it should, without a text.
    `error` says more than the code when it happened in this run. `model` is the one that was asked. `siblings` and
    `among` are as in `Said`, where the answer has no text that they could be reached from: it is `alone` then.
    """

    key: str
    entry: str
    state: str
    code: str
    last: bool
    error: NotochordError | None = None
    siblings: tuple[str, ...] = ()
    among: str = ""
    model: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class SummedUp:
    """A divider: what stands above is read by the model as this text only."""

    key: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class WentBack:
    """A quiet line: what an answer that was left had changed, and is again what it was before (PERM-103 to PERM-105).

    `files` and `records` (of gems' data) went back; those `left` were changed by something else since and stayed.
    """

    key: str
    files: tuple[str, ...]
    files_left: tuple[str, ...]
    records: int
    records_left: tuple[str, ...]


Piece: TypeAlias = Said | CallMade | PlanProposed | Asked | Attached | Ended | SummedUp | WentBack
