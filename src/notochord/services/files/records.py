"""The rows of the file history: one for each file or folder that was changed."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, insert, literal_column, select, update

from notochord.core.caller import Cause
from notochord.services.files.tables import FILE_CHANGES


class Kind(StrEnum):
    """What happened to a file or a folder."""

    WRITTEN = "written"
    DELETED = "deleted"
    MOVED = "moved"
    FOLDER_MADE = "folder made"
    FOLDER_DELETED = "folder deleted"
    TAKEN_IN = "taken in"


@dataclass(frozen=True, slots=True)
class Record:
    """One change. `before` and `after` are SHA-256 of the content, "" for nothing; of a move, `after` is a fingerprint.

    `kept` and `kept_after` name kept copies: of the content before, and of the content that a revert replaced. `mode`
    and `modified` (nanoseconds) belong to the content before. `made` counts parent folders that the change made.
    """

    id: str
    kind: Kind
    root: str
    path: str
    cause: Cause
    at: int
    before: str = ""
    after: str = ""
    kept: str = ""
    kept_after: str = ""
    mode: int = 0
    modified: int = 0
    made: int = 0
    to_root: str = ""
    to_path: str = ""

    @property
    def revertible(self) -> bool:
        """Tell whether everything that a revert needs was kept."""
        if self.kind is Kind.TAKEN_IN:
            return False
        return bool(self.kept) or not self.before

    def sentence(self) -> str:
        """Return what happened as a short English text."""
        match self.kind:
            case Kind.WRITTEN:
                return f"{self.path} {'overwritten' if self.before else 'created'}"
            case Kind.MOVED:
                return f"{self.path} moved to {self.to_path}"
            case Kind.DELETED | Kind.FOLDER_DELETED:
                return f"{self.path} deleted"
            case Kind.FOLDER_MADE:
                return f"folder {self.path} made"
            case Kind.TAKEN_IN:
                return f"{self.path} taken in"


def add(connection: Connection, records: Sequence[Record]) -> None:
    """Add changes that are about to be made."""
    if records:
        connection.execute(insert(FILE_CHANGES), [_to_row(record) for record in records])


def load(connection: Connection, cause: Cause) -> list[Record]:
    """Return the changes of a cause that were not taken back, oldest first; empty fields match everything."""
    table = FILE_CHANGES.c
    # By the order of adding, not by id: ids do not ascend when the clock was set back while the program was closed.
    wanted = select(FILE_CHANGES).where(table.reverted == 0, *_matches(cause)).order_by(literal_column("rowid"))
    return [_from_row(row._mapping) for row in connection.execute(wanted)]


def last(connection: Connection) -> Record | None:
    """Return the newest change, if there is one."""
    row = connection.execute(select(FILE_CHANGES).order_by(literal_column("rowid").desc()).limit(1)).one_or_none()
    return None if row is None else _from_row(row._mapping)


def versions(connection: Connection, root: str, path: str, conversation: str) -> list[Record]:
    """Return the changes of a file whose content before is kept, latest first, taken back or not."""
    table = FILE_CHANGES.c
    wanted = select(FILE_CHANGES).where(
        table.conversation == conversation,
        table.root == root,
        table.path == path,
        table.kept != "",
        table.kind.in_([Kind.WRITTEN.value, Kind.DELETED.value]),
    )
    rows = connection.execute(wanted.order_by(literal_column("rowid").desc()))
    return [_from_row(row._mapping) for row in rows]


def find(connection: Connection, identifier: str) -> Record | None:
    """Return one change."""
    row = connection.execute(select(FILE_CHANGES).where(FILE_CHANGES.c.id == identifier)).one_or_none()
    return None if row is None else _from_row(row._mapping)


def keep_after(connection: Connection, record: str, kept: str) -> None:
    """Note where the content is kept that a revert is about to replace."""
    connection.execute(update(FILE_CHANGES).where(FILE_CHANGES.c.id == record).values(kept_after=kept))


def mark_reverted(connection: Connection, record: Record) -> None:
    """Note that a change was taken back."""
    connection.execute(update(FILE_CHANGES).where(FILE_CHANGES.c.id == record.id).values(reverted=1))


def forget(connection: Connection, conversation: str) -> list[str]:
    """Delete the history of a conversation and return the names of its kept copies."""
    table = FILE_CHANGES.c
    rows = connection.execute(select(table.kept, table.kept_after).where(table.conversation == conversation)).all()
    connection.execute(delete(FILE_CHANGES).where(table.conversation == conversation))
    return [name for row in rows for name in row if name]


def kept_names(connection: Connection) -> set[str]:
    """Return the names of all kept copies."""
    rows = connection.execute(select(FILE_CHANGES.c.kept, FILE_CHANGES.c.kept_after)).all()
    return {name for row in rows for name in row if name}


def _matches(cause: Cause) -> list[ColumnElement[bool]]:
    return [FILE_CHANGES.c[part] == value for part, value in asdict(cause).items() if value]


def _to_row(record: Record) -> dict[str, Any]:
    row = {field.name: getattr(record, field.name) for field in fields(record) if field.name != "cause"}
    return {**row, **asdict(record.cause), "kind": record.kind.value, "reverted": 0}


def _from_row(row: Any) -> Record:
    cause = Cause(row["conversation"], row["branch"], row["turn"], row["run"], row["step"])
    names = [field.name for field in fields(Record) if field.name not in ("cause", "kind")]
    return Record(kind=Kind(row["kind"]), cause=cause, **{name: row[name] for name in names})
