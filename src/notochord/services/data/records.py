"""Writing records and Log entries inside a transaction: checked, recorded, with their references."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from notochord.core.caller import Caller
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.bare import BareConnection, IntegrityError
from notochord.services.data import changes, references
from notochord.services.data.api import (
    Append,
    Delete,
    EntryAppended,
    Insert,
    LinkTo,
    RecordWritten,
    StoredRecord,
    Unlink,
    Update,
    Write,
)
from notochord.services.data.catalog import Catalog, unique_error
from notochord.services.data.changes import ChangeRecorder
from notochord.services.data.declaration import Table
from notochord.services.data.nodes import entry_path, owned, record_path
from notochord.services.data.physical import broken_field, insert_sql, records_of, update_sql, values_of
from notochord.services.data.validation import Checked, check, check_id, invalid

Outcome = RecordWritten | EntryAppended | bool


@dataclass(frozen=True, slots=True)
class Row:
    """A live record with what is not shown of it; `revision` is the sequence of the change that made it so."""

    n: int
    revision: int
    record: StoredRecord


def read_row(connection: BareConnection, number: int, identifier: str) -> Row | None:
    found = connection.execute(
        f"SELECT n, revision, version, created_at, updated_at, data FROM {records_of(number)} WHERE id = ?",
        (identifier,),
    ).fetchone()
    if found is None:
        return None
    n, revision, version, created, updated, data = found
    return Row(n, revision, StoredRecord(identifier, version, created, updated, data))


class Writer:
    """Carries out writes in one transaction, on behalf of one caller."""

    def __init__(
        self,
        connection: BareConnection,
        *,
        owner: str,
        catalog: Catalog,
        recorder: ChangeRecorder,
        caller: Caller,
        new_id: Callable[[], str],
    ) -> None:
        self._connection = connection
        self._owner = owner
        self._catalog = catalog
        self._recorder = recorder
        self._caller = caller
        self._new_id = new_id

    def write(self, write: Write) -> Outcome:
        """Carry out one write. Raises INPUT_INVALID, PAYLOAD_TOO_LARGE, DATA_CONFLICT, DATA_NOT_FOUND, DATA_UNIQUE,
        PERM_DENIED; the transaction has to be given up then."""
        match write:
            case Insert():
                return self.insert(write)
            case Update():
                return self.update(write)
            case Delete():
                return self.delete(write)
            case Append():
                return self.append(write)
            case LinkTo():
                return self.link(write)
            case Unlink():
                return self.unlink(write)

    def insert(self, write: Insert) -> RecordWritten:
        table = self._catalog.table(write.collection)
        identifier = self._new_id() if write.id is None else check_id(write.id)
        self._put(table, identifier, check(table, write.data))
        return RecordWritten(identifier, 1)

    def update(self, write: Update) -> RecordWritten:
        table = self._catalog.table(write.collection)
        if not isinstance(write.patch, dict):
            raise invalid(f"{table.name}: a patch is an object")
        row = self._row(table, write.id)
        if row is None:
            raise not_found(f"{table.name} has no record {write.id!r}")
        _check_version(table, row, write.if_version)
        merged = {**row.record.data, **write.patch}
        return RecordWritten(write.id, self.replace(table, row, check(table, merged)))

    def delete(self, write: Delete) -> bool:
        table = self._catalog.table(write.collection)
        row = self._row(table, write.id)
        if row is None:
            if write.if_version is not None:
                raise conflict(f"{table.name} has no record {write.id!r}")
            return False
        _check_version(table, row, write.if_version)
        self.remove(table, row)
        return True

    def append(self, write: Append) -> EntryAppended:
        log = self._catalog.log(write.log)
        checked = check(log, write.entry)
        targets = references.targets_of(log.linking, checked.content)
        references.check_blobs(self._connection, targets)
        identifier = self._new_id()
        _, now = self._recorder.record(
            self._connection, self._caller, changes.ENTRY, f"{log.name}/{identifier}", None, checked.json
        )
        self._connection.execute(
            "INSERT INTO log_entries (collection, id, at, data) VALUES (?, ?, ?, ?)",
            (self._catalog.numbers[log.name], identifier, now, checked.json),
        )
        if targets:
            references.maintain(self._connection, entry_path(log.name, identifier), {}, targets, now)
        return EntryAppended(identifier, now)

    def link(self, write: LinkTo) -> bool:
        source, target = owned(self._owner, write.source).path, owned(self._owner, write.target).path
        kind = references.check_kind(write.kind)
        if references.has(self._connection, source, target, kind):
            return False
        _, now = self._record_link(source, target, kind, linked=True)
        references.link(self._connection, source, target, kind, now)
        return True

    def unlink(self, write: Unlink) -> bool:
        source, target = owned(self._owner, write.source).path, owned(self._owner, write.target).path
        kind = references.check_kind(write.kind)
        gone = references.unlink(self._connection, source, target, kind)
        if gone:
            self._record_link(source, target, kind, linked=False)
        return gone

    def replace(self, table: Table, row: Row, checked: Checked) -> int:
        """Put other content in place of a record's; return the version that this makes."""
        number, identifier = self._catalog.numbers[table.name], row.record.id
        before: dict[tuple[str, str], None] = {}
        after: dict[tuple[str, str], None] = {}
        if table.linking:
            after = references.targets_of(table.linking, checked.content)
            before = references.targets_of(table.linking, row.record.data)
            references.check_blobs(self._connection, [pair for pair in after if pair not in before])
        subject = f"{table.name}/{identifier}"
        revision, now = self._recorder.record(
            self._connection, self._caller, changes.RECORD, subject, row.record.json, checked.json
        )
        values = (revision, row.record.version + 1, now, checked.json, *values_of(table, checked.content), row.n)
        try:
            self._connection.execute(update_sql(number, table.scalars), values)
        except IntegrityError as error:
            raise unique_error(table.name, broken_field(error, number)) from error
        if table.linking:
            references.maintain(self._connection, record_path(table.name, identifier), before, after, now)
        return row.record.version + 1

    def remove(self, table: Table, row: Row) -> None:
        """Take a record out of sight; its content stays in the store (DATA-128)."""
        number, record = self._catalog.numbers[table.name], row.record
        subject = f"{table.name}/{record.id}"
        _, now = self._recorder.record(self._connection, self._caller, changes.RECORD, subject, record.json, None)
        self._connection.execute(
            "INSERT INTO deleted_records (collection, id, version, created_at, deleted_at, data) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (number, record.id, record.version, record.created_at, now, record.json),
        )
        self._connection.execute(f"DELETE FROM {records_of(number)} WHERE n = ?", (row.n,))
        if table.linking:
            gone = references.targets_of(table.linking, record.data)
            references.maintain(self._connection, record_path(table.name, record.id), gone, {}, now)

    def _row(self, table: Table, identifier: str) -> Row | None:
        return read_row(self._connection, self._catalog.numbers[table.name], check_id(identifier))

    def _put(self, table: Table, identifier: str, checked: Checked) -> None:
        number = self._catalog.numbers[table.name]
        targets = references.targets_of(table.linking, checked.content) if table.linking else {}
        references.check_blobs(self._connection, targets)
        subject = f"{table.name}/{identifier}"
        revision, now = self._recorder.record(
            self._connection, self._caller, changes.RECORD, subject, None, checked.json
        )
        values = (identifier, revision, 1, now, now, checked.json, *values_of(table, checked.content))
        try:
            self._connection.execute(insert_sql(number, table.scalars), values)
        except IntegrityError as error:
            # A record that is inserted once more repeats its unique values too; what is told then is the id.
            if read_row(self._connection, number, identifier) is not None:
                raise conflict(f"{table.name} has a record {identifier!r} already") from error
            raise unique_error(table.name, broken_field(error, number)) from error
        if targets:
            references.maintain(self._connection, record_path(table.name, identifier), {}, targets, now)

    def _record_link(self, source: str, target: str, kind: str, *, linked: bool) -> tuple[int, int]:
        subject = json.dumps([source, kind, target], separators=(",", ":"))
        before, after = (None, "linked") if linked else ("linked", None)
        return self._recorder.record(self._connection, self._caller, changes.LINK, subject, before, after)


def conflict(detail: str) -> NotochordError:
    return NotochordError(Code.DATA_CONFLICT, Fault.GUEST, detail)


def not_found(detail: str) -> NotochordError:
    return NotochordError(Code.DATA_NOT_FOUND, Fault.GUEST, detail)


def _check_version(table: Table, row: Row, expected: int | None) -> None:
    if expected is not None and row.record.version != expected:
        raise conflict(
            f"{table.name}/{row.record.id} has version {row.record.version}, not {expected}: it was changed meanwhile"
        )
