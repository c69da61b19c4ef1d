"""Asks, remembers and answers: every request for consent is a row before anybody hears of it."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from sqlalchemy import Connection

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.tasks import finish
from notochord.persistence.database import Database
from notochord.services.approvals import rows
from notochord.services.approvals.api import (
    Approval,
    ApprovalDecided,
    ApprovalQuestion,
    ApprovalRequested,
    ApprovalState,
)

BY_PERMISSION = "permission"


class ApprovalService:
    """Durable questions; only `decide` and a permission that a person gave before make an answer of yes."""

    def __init__(self, *, database: Database, clock: Clock, ids: IdMaker, events: EventBus) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._events = events
        self._waiting: dict[str, set[asyncio.Future[Approval]]] = {}

    async def ask(self, question: ApprovalQuestion) -> Approval:
        """Store the question and return it: APPROVED at once if a permission that holds covers it, else PENDING.

        A question that does not hold is always put to a person, whatever was permitted before: the stricter rule wins.
        One of no conversation never holds, so that nobody is promised what cannot be kept (fault U1).
        """
        now = self._clock.milliseconds()
        question = replace(question, holds=question.holds and bool(question.caller.cause.conversation))
        asked = Approval(self._ids.new(), question, ApprovalState.PENDING, now, 0, "", "")

        def store(connection: Connection) -> Approval:
            covered = question.holds and rows.permitted(connection, _key(question))
            stored = _answered(asked, ApprovalState.APPROVED, now, BY_PERMISSION, "") if covered else asked
            rows.store(connection, stored)
            return stored

        try:
            approval = await finish(self._database.write(store))
        except asyncio.CancelledError:
            await self._withdraw(asked.id)
            raise
        if approval.state is ApprovalState.PENDING:
            self._events.publish(ApprovalRequested(approval))
        return approval

    async def wait(self, approval: str) -> Approval:
        """Wait for the answer, however long it takes. Raises APPROVAL_UNKNOWN, also when it is forgotten meanwhile."""
        answer = asyncio.get_running_loop().create_future()
        waiting = self._waiting.setdefault(approval, set())
        waiting.add(answer)
        try:
            found = await self.get(approval)  # after the future is known, so that no answer falls between
            return found if found.state is not ApprovalState.PENDING else await answer
        finally:
            waiting.discard(answer)
            if not waiting and self._waiting.get(approval) is waiting:
                del self._waiting[approval]

    async def decide(self, approval: str, *, approve: bool, by: str, note: str = "", changes: bool = False) -> Approval:
        """Answer a pending question. Raises APPROVAL_UNKNOWN, APPROVAL_DECIDED.

        A yes that holds also answers the other pending questions that it covers.
        """
        now = self._clock.milliseconds()
        refused = ApprovalState.CHANGES if changes else ApprovalState.REJECTED
        state = ApprovalState.APPROVED if approve else refused

        def settle(connection: Connection) -> list[Approval]:
            found = _still_pending(rows.load(connection, approval))
            settled = [_answered(found, state, now, by, note)]
            if approve and found.question.holds:
                rows.permit(connection, _key(found.question), now)
                settled += [
                    _answered(other, ApprovalState.APPROVED, now, BY_PERMISSION, "")
                    for other in rows.load_pending(connection, found.question.caller.cause.conversation)
                    if other.id != approval and other.question.holds and _key(other.question) == _key(found.question)
                ]
            for answered in settled:
                rows.settle(connection, answered)
            return settled

        return (await finish(self._settle(settle)))[0]

    async def withdraw(self, approval: str) -> None:
        """Take a pending question back; one that is answered stays as it is. Raises APPROVAL_UNKNOWN."""
        await self.get(approval)
        await self._withdraw(approval)

    async def _withdraw(self, approval: str) -> None:
        now = self._clock.milliseconds()

        def settle(connection: Connection) -> list[Approval]:
            found = [found for found in rows.load_pending(connection) if found.id == approval]
            withdrawn = [_answered(each, ApprovalState.WITHDRAWN, now, "", "") for each in found]
            for each in withdrawn:
                rows.settle(connection, each)
            return withdrawn

        await finish(self._settle(settle))

    async def forget(self, conversation: str) -> None:
        """Delete what a conversation asked and was permitted; who still waits for an answer hears WITHDRAWN."""
        now = self._clock.milliseconds()

        def forget(connection: Connection) -> list[Approval]:
            pending = rows.load_pending(connection, conversation)
            rows.forget(connection, conversation)
            return [_answered(found, ApprovalState.WITHDRAWN, now, "", "") for found in pending]

        await finish(self._settle(forget))

    async def revoke(self, kind: str, subject: str) -> None:
        """Delete the permissions that conversations gave to a subject which is gone."""
        await finish(self._database.write(lambda connection: rows.revoke(connection, kind, subject)))

    async def pending(self) -> tuple[Approval, ...]:
        """Return the open questions, oldest first."""
        return await self._database.read(rows.load_pending)

    async def get(self, approval: str) -> Approval:
        """Return one approval. Raises APPROVAL_UNKNOWN."""
        return await self._database.read(lambda connection: rows.load(connection, approval))

    async def permit(self, conversation: str, kind: str, subject: str) -> None:
        """Record a permission that the user gives beforehand. Raises INPUT_INVALID without a conversation."""
        if not conversation:
            raise NotochordError(
                Code.INPUT_INVALID,
                Fault.USER,
                "a permission holds for one conversation; name it",
                why="why.permission_without_chat",
            )
        now = self._clock.milliseconds()
        await self._database.write(lambda connection: rows.permit(connection, (conversation, kind, subject), now))

    async def permitted(self, conversation: str, kind: str, subject: str) -> bool:
        """Tell whether a permission of exactly this conversation, kind and subject was given."""
        return await self._database.read(lambda connection: rows.permitted(connection, (conversation, kind, subject)))

    async def _settle(self, work: Callable[[Connection], list[Approval]]) -> list[Approval]:
        """Write answers, and tell those who wait for them and everybody else."""
        settled = await self._database.write(work)
        for approval in settled:
            for answer in self._waiting.get(approval.id, ()):
                if not answer.done():
                    answer.set_result(approval)
            self._events.publish(ApprovalDecided(approval))
        return settled


def _still_pending(approval: Approval) -> Approval:
    if approval.state is not ApprovalState.PENDING:
        detail = f"the request is {approval.state.value} already"
        raise NotochordError(
            Code.APPROVAL_DECIDED, Fault.USER, detail, approval=approval.id, state=approval.state.value
        )
    return approval


def _answered(approval: Approval, state: ApprovalState, at: int, by: str, note: str) -> Approval:
    return replace(approval, state=state, decided_at=at, decided_by=by, note=note)


def _key(question: ApprovalQuestion) -> tuple[str, str, str]:
    return question.caller.cause.conversation, question.kind, question.subject
