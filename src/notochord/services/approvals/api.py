"""The door to approvals: durable requests for a person's consent."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from notochord.core.caller import Caller


class ApprovalState(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    CHANGES = "changes"
    """Not as it is: it may be proposed again once it is what the note asks for. Of a plan only."""
    WITHDRAWN = "withdrawn"
    """Whoever asked is gone (cancelled, deleted); it can be answered no more."""


@dataclass(frozen=True, slots=True)
class ApprovalQuestion:
    """What is asked. `kind` is gem, tool, host, plan or file; `subject` what exactly (a gem's id, a host …).

    `arguments` is the exact JSON text that will be used. An answer that `holds` for the conversation is remembered as
    a permission of (conversation, kind, subject); without a conversation none does.
    """

    kind: str
    subject: str
    title: str
    arguments: str
    caller: Caller
    holds: bool


@dataclass(frozen=True, slots=True)
class Approval:
    id: str
    question: ApprovalQuestion
    state: ApprovalState
    asked_at: int
    decided_at: int
    decided_by: str
    note: str
    """What the person added, such as the changes to a plan."""


@dataclass(frozen=True, slots=True)
class ApprovalRequested:
    """Event: somebody has to answer. The row is durable already."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class ApprovalDecided:
    """Event: an answer was given, or the request was withdrawn."""

    approval: Approval


class Approvals(Protocol):
    """Asks, remembers, answers. Nothing becomes yes by waiting."""

    async def ask(self, question: ApprovalQuestion) -> Approval:
        """Store the question and return it: APPROVED at once if a permission that holds covers it, else PENDING."""

    async def wait(self, approval: str) -> Approval:
        """Wait for the answer, however long it takes; after a restart wait again for the same id."""

    async def decide(self, approval: str, *, approve: bool, by: str, note: str = "", changes: bool = False) -> Approval:
        """Answer. `by` names the person's way: window, terminal, control. Raises APPROVAL_UNKNOWN, APPROVAL_DECIDED.

        A no with `changes` asks for another proposal, changed as the note says.
        """

    async def withdraw(self, approval: str) -> None:
        """Take a pending question back."""

    async def forget(self, conversation: str) -> None:
        """Delete what a deleted conversation asked and was permitted; who still waits hears WITHDRAWN."""

    async def revoke(self, kind: str, subject: str) -> None:
        """Delete what all conversations permitted to a subject that is gone, such as a removed gem."""

    async def pending(self) -> tuple[Approval, ...]: ...

    async def get(self, approval: str) -> Approval:
        """Raises APPROVAL_UNKNOWN."""

    async def permit(self, conversation: str, kind: str, subject: str) -> None:
        """Record a permission that the user gives beforehand (`chat --allow gem:ID`)."""

    async def permitted(self, conversation: str, kind: str, subject: str) -> bool: ...
