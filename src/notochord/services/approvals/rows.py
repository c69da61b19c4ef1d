"""Approvals as rows: what the service does inside one transaction."""

from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.approvals.api import Approval, ApprovalQuestion, ApprovalState
from notochord.services.approvals.tables import APPROVALS, PERMISSIONS


def store(connection: Connection, approval: Approval) -> None:
    """Add a new approval."""
    question, cause = approval.question, approval.question.caller.cause
    connection.execute(
        insert(APPROVALS).values(
            id=approval.id,
            kind=question.kind,
            subject=question.subject,
            title=question.title,
            arguments=question.arguments,
            holds=int(question.holds),
            actor=question.caller.actor.value,
            caller=question.caller.name,
            conversation=cause.conversation,
            branch=cause.branch,
            turn=cause.turn,
            run=cause.run,
            step=cause.step,
            state=approval.state.value,
            asked_at=approval.asked_at,
            decided_at=approval.decided_at,
            decided_by=approval.decided_by,
            note=approval.note,
        )
    )


def load(connection: Connection, identifier: str) -> Approval:
    """Return one approval. Raises APPROVAL_UNKNOWN."""
    row = connection.execute(select(APPROVALS).where(APPROVALS.c.id == identifier)).one_or_none()
    if row is None:
        raise NotochordError(Code.APPROVAL_UNKNOWN, Fault.USER, "no such request for approval", approval=identifier)
    return _from_row(row)


def load_pending(connection: Connection, conversation: str | None = None) -> tuple[Approval, ...]:
    """Return the open questions, oldest first; those of one conversation if it is named."""
    wanted = select(APPROVALS).where(APPROVALS.c.state == ApprovalState.PENDING.value).order_by(APPROVALS.c.id)
    if conversation is not None:
        wanted = wanted.where(APPROVALS.c.conversation == conversation)
    return tuple(_from_row(row) for row in connection.execute(wanted))


def settle(connection: Connection, approval: Approval) -> None:
    """Write the answer of a pending approval."""
    connection.execute(
        update(APPROVALS)
        .where(APPROVALS.c.id == approval.id)
        .values(
            state=approval.state.value,
            decided_at=approval.decided_at,
            decided_by=approval.decided_by,
            note=approval.note,
        )
    )


def permit(connection: Connection, key: tuple[str, str, str], at: int) -> None:
    """Record the permission of (conversation, kind, subject)."""
    values = dict(zip(("conversation", "kind", "subject"), key, strict=True))
    connection.execute(insert_or(PERMISSIONS).values(given_at=at, **values).on_conflict_do_nothing())


def permitted(connection: Connection, key: tuple[str, str, str]) -> bool:
    """Tell whether the permission of (conversation, kind, subject) was given."""
    table = PERMISSIONS.c
    found = select(table.given_at).where(table.conversation == key[0], table.kind == key[1], table.subject == key[2])
    return connection.execute(found).first() is not None


def forget(connection: Connection, conversation: str) -> None:
    """Delete every question and permission of a conversation."""
    connection.execute(delete(APPROVALS).where(APPROVALS.c.conversation == conversation))
    connection.execute(delete(PERMISSIONS).where(PERMISSIONS.c.conversation == conversation))


def revoke(connection: Connection, kind: str, subject: str) -> None:
    """Delete the permissions that all conversations gave to a subject."""
    connection.execute(delete(PERMISSIONS).where(PERMISSIONS.c.kind == kind, PERMISSIONS.c.subject == subject))


def _from_row(row: Row[Any]) -> Approval:
    cause = Cause(row.conversation, row.branch, row.turn, row.run, row.step)
    caller = Caller(Actor(row.actor), row.caller, cause)
    question = ApprovalQuestion(row.kind, row.subject, row.title, row.arguments, caller, bool(row.holds))
    state = ApprovalState(row.state)
    return Approval(row.id, question, state, row.asked_at, row.decided_at, row.decided_by, row.note)
