"""Reads Logs: entries by the time at which they were appended."""

from contextlib import closing

from notochord.core.strict_json import Json
from notochord.persistence.bare import BareConnection, BareCursor
from notochord.services.data import cursors
from notochord.services.data.api import MAX_LIMIT, MAX_RESULT_BYTES, EntryPage, LogQuery, StoredEntry
from notochord.services.data.declaration import FieldType
from notochord.services.data.queries import check_limit
from notochord.services.data.validation import invalid, too_large
from notochord.services.data.values import fits


def check_log_query(query: LogQuery) -> None:
    """Raises INPUT_INVALID."""
    if not 1 <= check_limit(query.limit) <= MAX_LIMIT:
        raise invalid(f"limit must be from 1 to {MAX_LIMIT}")
    for name, value in (("since", query.since), ("until", query.until)):
        if value is not None and not fits(value, FieldType.TIMESTAMP):
            raise invalid(f"{name} must be an integer number of milliseconds")


def entries(connection: BareConnection, number: int, query: LogQuery) -> EntryPage:
    """Return one page of a Log. Raises INPUT_INVALID, PAYLOAD_TOO_LARGE."""
    mark = cursors.signature([query.log, query.since, query.until, query.newest_first])
    where, values = "collection = ?", list[Json]([number])
    for sign, moment in ((">=", query.since), ("<=", query.until)):
        if moment is not None:
            where += f" AND at {sign} ?"
            values.append(moment)
    sign, direction = ("<", "DESC") if query.newest_first else (">", "ASC")
    if query.after:
        where += f" AND (at, n) {sign} (?, ?)"
        values += cursors.place(mark, query.after, 2)
    statement = f"SELECT n, id, at, data FROM log_entries WHERE {where} ORDER BY at {direction}, n {direction} LIMIT ?"
    with closing(connection.execute(statement, [*values, query.limit + 1])) as rows:
        return _page(rows, query.limit, mark)


def _page(rows: BareCursor, limit: int, mark: str) -> EntryPage:
    items: list[StoredEntry] = []
    size, last = 0, list[Json]()
    for n, identifier, at, data in rows:
        if len(items) == limit:
            return EntryPage(tuple(items), cursors.make(mark, last))
        size += len(data) if data.isascii() else len(data.encode())
        if size > MAX_RESULT_BYTES:
            raise too_large(f"the result is over {MAX_RESULT_BYTES} bytes: make limit smaller", MAX_RESULT_BYTES)
        items.append(StoredEntry(identifier, at, data))
        last = [at, n]
    return EntryPage(tuple(items), "")
