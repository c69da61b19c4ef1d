"""The record of changes: who changed what because of what, with the content before and after."""

from collections.abc import Iterator
from dataclasses import dataclass

from notochord.core.caller import Caller, Cause
from notochord.core.clock import Clock
from notochord.persistence.bare import BareConnection

KV = "kv"
RECORD = "record"
ENTRY = "log"
DOCUMENT = "doc"
BLOB = "blob"
LINK = "link"

_INSERT = (
    "INSERT INTO changes (device, at, actor, name, conversation, branch, turn, run, step, kind, subject, before, after)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_COLUMNS = "sequence, at, actor, name, kind, subject, before, after"
_PARTS = ("conversation", "branch", "turn", "run", "step")


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change as it was recorded; `before` and `after` are JSON or, for key-values, the plain text."""

    sequence: int
    at: int
    actor: str
    name: str
    kind: str
    subject: str
    before: str | None
    after: str | None


class ChangeRecorder:
    """Writes the record of each change in the transaction of the change itself."""

    def __init__(self, *, clock: Clock, device: str) -> None:
        self._clock = clock
        self._device = device
        self.written = 0
        """Bytes that were written so far, roughly; what is measured is the folder."""

    def record(
        self,
        connection: BareConnection,
        caller: Caller,
        kind: str,
        subject: str,
        before: str | None,
        after: str | None,
    ) -> tuple[int, int]:
        """Write one change; return its sequence, which ascends with every change of the store, and its time."""
        now = self._clock.milliseconds()
        cause = caller.cause
        self.written += 2 * len(after or "") + len(before or "")
        made = connection.execute(
            _INSERT,
            (self._device, now, caller.actor.value, caller.name, cause.conversation, cause.branch, cause.turn,
             cause.run, cause.step, kind, subject, before, after),
        )  # fmt: skip
        return int(made.lastrowid or 0), now


def changes_of(connection: BareConnection, cause: Cause) -> list[ChangeRow]:
    """Return what a cause changed, oldest first; an empty field of the cause matches everything."""
    where, values = _matching(cause)
    return _rows(connection, f"WHERE {where} ORDER BY sequence", values)


def changes_since(connection: BareConnection, kind: str, subject: str, sequence: int) -> list[ChangeRow]:
    """Return the changes of one subject from `sequence` on, oldest first."""
    found = "WHERE kind = ? AND subject = ? AND sequence >= ? ORDER BY sequence"
    return _rows(connection, found, [kind, subject, sequence])


def last_changes(connection: BareConnection, limit: int) -> list[ChangeRow]:
    """Return the latest changes of the store, newest first, without content."""
    without = "sequence, at, actor, name, kind, subject, before IS NOT NULL, after IS NOT NULL"
    rows = connection.execute(f"SELECT {without} FROM changes ORDER BY sequence DESC LIMIT ?", (limit,))
    return [
        ChangeRow(sequence, at, actor, name, kind, subject, "" if before else None, "" if after else None)
        for sequence, at, actor, name, kind, subject, before, after in rows
    ]


def word_of(change: ChangeRow) -> str:
    """Return what happened, in one English word."""
    if change.before is None:
        return "added"
    return "deleted" if change.after is None else "changed"


def _rows(connection: BareConnection, rest: str, values: list[str | int]) -> list[ChangeRow]:
    return [ChangeRow(*row) for row in connection.execute(f"SELECT {_COLUMNS} FROM changes {rest}", values)]


def _matching(cause: Cause) -> tuple[str, list[str | int]]:
    parts = dict(_parts(cause))
    return " AND ".join(f"{part} = ?" for part in parts) or "TRUE", list(parts.values())


def _parts(cause: Cause) -> Iterator[tuple[str, str]]:
    for part in _PARTS:
        if value := getattr(cause, part):
            yield part, value
