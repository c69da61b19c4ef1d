"""Runs queries: pages from the index that serves them, read no further than the page goes, and counts."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

from notochord.core.strict_json import Json
from notochord.persistence.bare import BareConnection
from notochord.services.data import cursors
from notochord.services.data.api import MAX_RESULT_BYTES, Condition, Page, StoredRecord
from notochord.services.data.physical import column, index_name, records_of
from notochord.services.data.queries import UNCHECKED_RECORDS, CheckedQuery, needs_index, scanned_too_much
from notochord.services.data.validation import too_large

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
    mark = _signature(query)
    after = cursors.place(mark, query.after, len(query.sort) + 1) if query.after else None
    if query.is_empty:
        return Page((), "")
    found = _read(connection, number, query, index, after)
    items: list[StoredRecord] = []
    last: Place = ()
    size = 0
    for place, record in found:
        if len(items) == query.limit:
            return Page(tuple(items), cursors.make(mark, last))
        size += _bytes(record.json)
        if size > MAX_RESULT_BYTES:
            raise too_large(f"the result is over {MAX_RESULT_BYTES} bytes: make limit smaller", MAX_RESULT_BYTES)
        items.append(record)
        last = place
    return Page(tuple(items), "")


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
        rows = connection.execute(f"SELECT data FROM {source} {where}", values)
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


def _read(
    connection: BareConnection, number: int, query: CheckedQuery, index: tuple[str, ...] | None, after: Json
) -> Iterator[Found]:
    """Yield the matching records in order, read one by one as they are asked for."""
    assert after is None or isinstance(after, list)
    streams = [
        _rows(connection, number, query, _select(number, query, index, branch), branch.values)
        for branch in _branches(query, after)
    ]
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


def _rows(
    connection: BareConnection, number: int, query: CheckedQuery, sql: str, values: list[Json]
) -> Iterator[Found]:
    if sql.startswith("SELECT n"):
        whole = f"SELECT id, version, created_at, updated_at, data FROM {records_of(number)} WHERE n = ?"
        for n, *keys in connection.execute(sql, values).fetchall():
            record = StoredRecord(*connection.execute(whole, (n,)).fetchone())
            yield (*keys, record.id), record
        return
    for row in connection.execute(sql, values):
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


def _place(found: Found) -> Place:
    return found[0]


def _is_beyond(value: Json, reached: Json, descending: bool) -> bool:
    assert isinstance(value, str | int | float)
    assert isinstance(reached, str | int | float)
    if isinstance(value, str) != isinstance(reached, str):
        return False
    return (value < reached) if descending else (value > reached)  # type: ignore[operator]


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())
