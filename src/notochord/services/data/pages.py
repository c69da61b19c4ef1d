"""Runs queries: pages from the index that serves them, read no further than the page goes, and counts.

Every cursor that may be left before its end is closed: one that is not would reset its statement at some later moment,
when another query may be reading from it.
"""

import heapq
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any

from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.persistence.bare import BareConnection, BareCursor
from notochord.services.data import cursors
from notochord.services.data.api import MAX_RESULT_BYTES, Condition, Page, StoredRecord
from notochord.services.data.physical import column, index_name, records_of
from notochord.services.data.queries import UNCHECKED_RECORDS, CheckedQuery, needs_index, scanned_too_much
from notochord.services.data.validation import too_large

CHUNK = 32
"""Rows that are taken at once; so many are read in vain at most."""

SCAN_BYTES = 64 * 1_048_576
MAX_COUNTED = 1_000_000

Place = tuple[Json, ...]
Found = tuple[Place, StoredRecord]


@dataclass(frozen=True, slots=True)
class _Branch:
    """One piece of SQL that yields records in order; a query with `in` has one for each value."""

    where: str
    values: list[Json]


def page(connection: BareConnection, number: int, query: CheckedQuery) -> Page:
    """Return one page. Raises INPUT_INVALID, DATA_NEEDS_INDEX, PAYLOAD_TOO_LARGE."""
    index = _index_for_page(connection, number, query)
    after = cursors.place(_signature(query), query.after, len(query.sort) + 1) if query.after else None
    if query.is_empty:
        return Page((), "")
    branches = _branches(query, after)
    with ExitStack() as stack:
        opened = [
            stack.enter_context(closing(connection.execute(_select(number, query, index, branch), branch.values)))
            for branch in branches
        ]
        if index is not None and len(opened) == 1 and not query.contains:
            return _quick_page(query, opened[0])
        return _merged_page(query, _read(connection, number, query, opened))


def _merged_page(query: CheckedQuery, found: Iterator[Found]) -> Page:
    """Return the page that is made of several branches, or of what is left of a larger number of records."""
    items: list[StoredRecord] = []
    last: Place = ()
    size = 0
    for place, record in found:
        if len(items) == query.limit:
            return Page(tuple(items), cursors.make(_signature(query), last))
        size += _bytes(record.json)
        if size > MAX_RESULT_BYTES:
            raise _too_much()
        items.append(record)
        last = place
    return Page(tuple(items), "")


def _quick_page(query: CheckedQuery, rows: BareCursor) -> Page:
    """Return the page that an index gives row by row, which is the usual case."""
    found: list[tuple[Any, ...]] = []
    size = 0
    while size <= MAX_RESULT_BYTES and (some := rows.fetchmany(CHUNK)):
        found += some
        size += sum([len(row[4]) for row in some])
    shown = found[: query.limit]
    # A character takes at most four bytes.
    if size > MAX_RESULT_BYTES // 4 and sum(_bytes(row[4]) for row in shown) > MAX_RESULT_BYTES:
        raise _too_much()
    following = ""
    if len(found) > query.limit:
        last = shown[-1]
        following = cursors.make(_signature(query), (*last[5:], last[0]))
    return Page(tuple([StoredRecord(*row[:5]) for row in shown]), following)


def count(connection: BareConnection, number: int, query: CheckedQuery) -> int:
    """Return how many records meet the conditions. Raises DATA_NEEDS_INDEX."""
    index = None
    if query.conditions:
        only_contains = len(query.contains) == len(query.conditions)
        index = None if only_contains else query.count_index()
        if index is None and is_large(connection, number):
            raise needs_index(query, count=True)
    where, values = _conditions(query, number)
    source = _source(number, index)
    if query.contains:
        with closing(connection.execute(f"SELECT data FROM {source} {where}", values)) as rows:
            found = sum(1 for data in _limited(query, (row[0] for row in rows)) if _holds(query.contains, data))
    else:
        found = int(connection.execute(f"SELECT count(*) FROM {source} {where}", values).fetchone()[0])
    if found > MAX_COUNTED:
        raise scanned_too_much(query.table.name, f"{MAX_COUNTED} records")
    return found


def is_large(connection: BareConnection, number: int) -> bool:
    """Tell whether a table has more live records than may be queried without an index (DATA-168)."""
    question = f"SELECT 1 FROM {records_of(number)} LIMIT 1 OFFSET {UNCHECKED_RECORDS}"
    return connection.execute(question).fetchone() is not None


def page_sql(
    number: int, query: CheckedQuery, index: tuple[str, ...] | None, after: list[Json] | None
) -> list[tuple[str, list[Json]]]:
    """Return the SQL and the values of a page's branches, for who reads the query plan."""
    return [(_select(number, query, index, branch), branch.values) for branch in _branches(query, after)]


def _index_for_page(connection: BareConnection, number: int, query: CheckedQuery) -> tuple[str, ...] | None:
    if not query.conditions and not query.sort:
        return None
    index = query.index()
    alone = query.contains and not query.fixed and not query.range
    if (index is None or alone) and is_large(connection, number):
        raise needs_index(query)
    return index


def _read(connection: BareConnection, number: int, query: CheckedQuery, opened: list[BareCursor]) -> Iterator[Found]:
    """Yield the matching records in order, read one by one as they are asked for."""
    streams = [_rows(connection, number, cursor, len(query.sort)) for cursor in opened]
    merged = streams[0] if len(streams) == 1 else heapq.merge(*streams, key=_place, reverse=query.descending)
    return _filtered(query, merged) if query.contains else merged


def _select(number: int, query: CheckedQuery, index: tuple[str, ...] | None, branch: _Branch) -> str:
    direction = "DESC" if query.descending else "ASC"
    order = ", ".join(f"{name} {direction}" for name in [*map(column, query.ordering), "id"])
    # What has to be sorted is sorted without the content, which may be large; it is then read record by record.
    content = "id, version, created_at, updated_at, data" if index or not query.ordering else "n"
    keys = "".join(f", {column(field)}" for field in query.sort)
    limit = "" if query.contains else f" LIMIT {query.limit + 1}"
    return f"SELECT {content}{keys} FROM {_source(number, index)} {branch.where} ORDER BY {order}{limit}"


def _rows(connection: BareConnection, number: int, cursor: BareCursor, keys: int) -> Iterator[Found]:
    if len(cursor.description) == keys + 1:  # the row alone, and what it was sorted by
        whole = f"SELECT id, version, created_at, updated_at, data FROM {records_of(number)} WHERE n = ?"
        for n, *values in cursor.fetchall():
            record = StoredRecord(*connection.execute(whole, (n,)).fetchone())
            yield (*values, record.id), record
        return
    for row in cursor:
        yield (*row[5:], row[0]), StoredRecord(*row[:5])


def _branches(query: CheckedQuery, after: list[Json] | None) -> list[_Branch]:
    among = query.among
    if among is None:
        return [_branch(query, None, after)]
    assert isinstance(among.value, list)
    values = among.value
    if after is not None and query.sort[:1] == (among.field,):
        reached = after[0]
        values = [value for value in values if _is_beyond(value, reached, query.descending) or value == reached]
    return [_branch(query, value, after) for value in values] or [_Branch("WHERE FALSE", [])]


def _branch(query: CheckedQuery, chosen: Json, after: list[Json] | None) -> _Branch:
    parts, values = [], []
    for condition in query.conditions:
        if condition.operator == "array-contains":
            continue
        if condition.operator == "in":
            condition = Condition(condition.field, "==", chosen)
        part, value = _sql(condition)
        parts.append(part)
        values += value
    compared = {one.field for one in query.conditions if one.operator in ("==", "in") and one.value is not None}
    parts += [f"{column(field)} IS NOT NULL" for field in query.ordering if field not in compared]
    if after is not None:
        part, value = _behind(query, chosen, after)
        parts.append(part)
        values += value
    return _Branch(f"WHERE {' AND '.join(parts)}" if parts else "", values)


def _behind(query: CheckedQuery, chosen: Json, after: list[Json]) -> tuple[str, list[Json]]:
    """Return the condition for what comes behind a place, among the records of one branch."""
    among = query.among
    if among is not None and query.sort[:1] == (among.field,) and chosen != after[0]:
        return "TRUE", []
    places = [after[query.sort.index(field)] for field in query.ordering]
    names = [*map(column, query.ordering), "id"]
    sign = "<" if query.descending else ">"
    return f"({', '.join(names)}) {sign} ({', '.join('?' * len(names))})", [*places, after[-1]]


def _conditions(query: CheckedQuery, number: int) -> tuple[str, list[Json]]:
    parts, values = [], []
    for condition in query.conditions:
        if condition.operator == "array-contains":
            continue
        if condition.operator == "in":
            assert isinstance(condition.value, list)
            parts.append(f"{column(condition.field)} IN ({', '.join('?' * len(condition.value))})")
            values += condition.value
            continue
        part, value = _sql(condition)
        parts.append(part)
        values += value
    return f"WHERE {' AND '.join(parts)}" if parts else "", values


def _sql(condition: Condition) -> tuple[str, list[Json]]:
    name = column(condition.field)
    if condition.value is None:
        return f"{name} IS {'' if condition.operator == '==' else 'NOT '}NULL", []
    operator = "=" if condition.operator == "==" else condition.operator
    return f"{name} {operator} ?", [condition.value]


def _source(number: int, index: tuple[str, ...] | None) -> str:
    named = f" INDEXED BY {index_name(number, index)}" if index else ""
    return f"{records_of(number)}{named}"


def _filtered(query: CheckedQuery, found: Iterator[Found]) -> Iterator[Found]:
    read = 0
    for place, record in found:
        read += len(record.json)
        if read > SCAN_BYTES:
            raise scanned_too_much(query.table.name, f"{SCAN_BYTES} bytes of records")
        if _holds(query.contains, record.json):
            yield place, record


def _limited(query: CheckedQuery, found: Iterator[str]) -> Iterator[str]:
    for number, data in enumerate(found):
        if number >= MAX_COUNTED:
            raise scanned_too_much(query.table.name, f"{MAX_COUNTED} records")
        yield data


def _holds(conditions: tuple[Condition, ...], data: str) -> bool:
    content = StoredRecord("", 0, 0, 0, data).data
    for condition in conditions:
        value = content.get(condition.field)
        if not isinstance(value, list) or condition.value not in value:
            return False
    return True


def _signature(query: CheckedQuery) -> str:
    conditions: list[Json] = [[one.field, one.operator, one.value] for one in query.conditions]
    return cursors.signature([query.table.name, conditions, list(query.sort), query.descending])


def _too_much() -> NotochordError:
    return too_large(f"the result is over {MAX_RESULT_BYTES} bytes: make limit smaller", MAX_RESULT_BYTES)


def _place(found: Found) -> Place:
    return found[0]


def _is_beyond(value: Json, reached: Json, descending: bool) -> bool:
    assert isinstance(value, str | int | float)
    assert isinstance(reached, str | int | float)
    if isinstance(value, str) != isinstance(reached, str):
        return False
    return (value < reached) if descending else (value > reached)  # type: ignore[operator]  # two texts or two numbers


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())
