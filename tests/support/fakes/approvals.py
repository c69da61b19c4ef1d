"""Questions that wait in memory, for front ends."""

import asyncio
from dataclasses import replace

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.approvals.api import (
    Approval,
    ApprovalDecided,
    ApprovalQuestion,
    ApprovalRequested,
    ApprovalState,
)


class FakeApprovals:
    def __init__(self, events: EventBus) -> None:
        self._events = events
        self._rows: dict[str, Approval] = {}
        self._permitted: set[tuple[str, str, str]] = set()
        self._changed = asyncio.Event()

    async def ask(self, question: ApprovalQuestion) -> Approval:
        key = (question.caller.cause.conversation, question.kind, question.subject)
        state = ApprovalState.APPROVED if key in self._permitted else ApprovalState.PENDING
        approval = Approval(f"a{len(self._rows) + 1}", question, state, 0, 0, "", "")
        self._rows[approval.id] = approval
        if state is ApprovalState.PENDING:
            self._events.publish(ApprovalRequested(approval))
        return approval

    async def wait(self, approval: str) -> Approval:
        while self._rows[approval].state is ApprovalState.PENDING:
            self._changed.clear()
            await self._changed.wait()
        return self._rows[approval]

    async def decide(self, approval: str, *, approve: bool, by: str, note: str = "", changes: bool = False) -> Approval:
        found = await self.get(approval)
        if found.state is not ApprovalState.PENDING:
            raise NotochordError(Code.APPROVAL_DECIDED, Fault.USER, "decided")
        state = ApprovalState.APPROVED if approve else ApprovalState.REJECTED
        self._rows[approval] = replace(found, state=state, decided_by=by, note=note)
        self._changed.set()
        self._events.publish(ApprovalDecided(self._rows[approval]))
        return self._rows[approval]

    async def forget(self, conversation: str) -> None: ...

    async def revoke(self, kind: str, subject: str) -> None: ...

    async def withdraw(self, approval: str) -> None:
        self._rows[approval] = replace(self._rows[approval], state=ApprovalState.WITHDRAWN)

    async def pending(self) -> tuple[Approval, ...]:
        return tuple(row for row in self._rows.values() if row.state is ApprovalState.PENDING)

    async def get(self, approval: str) -> Approval:
        if approval not in self._rows:
            raise NotochordError(Code.APPROVAL_UNKNOWN, Fault.USER, "unknown", id=approval)
        return self._rows[approval]

    async def permit(self, conversation: str, kind: str, subject: str) -> None:
        self._permitted.add((conversation, kind, subject))

    async def permitted(self, conversation: str, kind: str, subject: str) -> bool:
        return (conversation, kind, subject) in self._permitted
