"""Checks a query against the declaration and the rules of queries, and finds the index that serves it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.data.api import MAX_LIMIT, Condition, Query
from notochord.services.data.declaration import Field, FieldType, Table
from notochord.services.data.validation import dumped, invalid
from notochord.services.data.values import as_stored, comparable

MAX_CONDITIONS = 16
MAX_ORDER = 8
MAX_IN = 30
UNCHECKED_RECORDS = 1_000
"""Up to so many live records no query is held against the indexes (DATA-169)."""

RANGES: Final = frozenset({"<", "<=", ">", ">=", "!="})
OPERATORS: Final = RANGES | {"==", "in", "array-contains"}


@dataclass(frozen=True)
class CheckedQuery:
    """A query that keeps the rules. `sort` are the fields that order it; the id always decides last."""

    table: Table
    conditions: tuple[Condition, ...]
    sort: tuple[str, ...]
    descending: bool
    limit: int
    after: str

    @cached_property
    def fixed(self) -> tuple[str, ...]:
        """The fields that `==` or `in` fixes, in the order of the conditions."""
        return tuple(dict.fromkeys(one.field for one in self.conditions if one.operator in ("==", "in")))

    @cached_property
    def range(self) -> str:
        return next((one.field for one in self.conditions if one.operator in RANGES), "")

    @cached_property
    def among(self) -> Condition | None:
        """The `in` condition."""
        return next((one for one in self.conditions if one.operator == "in"), None)

    @cached_property
    def contains(self) -> tuple[Condition, ...]:
        return tuple(one for one in self.conditions if one.operator == "array-contains")

    @cached_property
    def ordering(self) -> tuple[str, ...]:
        """The sort fields that count for an index: those that are not fixed to values (DATA-174, DATA-175)."""
        pinned = {one.field for one in self.conditions if one.operator == "in" or _is_pinned(one)}
        return tuple(field for field in self.sort if field not in pinned)

    @cached_property
    def is_empty(self) -> bool:
        """Tell whether nothing can match: sorted by a field that has to be missing."""
        return any(one.operator == "==" and one.value is None and one.field in self.sort for one in self.conditions)

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """The index that would serve this query (DATA-170)."""
        fixed = self.fixed
        return (*fixed, *(field for field in self.ordering if field not in fixed))

    def index(self) -> tuple[str, ...] | None:
        """Return the declared index that serves the query as a page; None if there is none (DATA-171 to DATA-177)."""
        needed, fixed = self.needed, set(self.fixed)
        rest = needed[len(fixed) :]
        for declared in self.table.indexes:
            if len(declared) == len(needed) and set(declared[: len(fixed)]) == fixed and declared[len(fixed) :] == rest:
                return declared
        return None

    def count_index(self) -> tuple[str, ...] | None:
        """Return the declared index that serves the query as a count (DATA-178, DATA-179)."""
        fixed = set(self.fixed)
        rest = (self.range,) if self.range and self.range not in fixed else ()
        for declared in self.table.indexes:
            following = declared[len(fixed) : len(fixed) + len(rest)]
            if set(declared[: len(fixed)]) == fixed and following == rest:
                return declared
        return None


def check_query(table: Table, query: Query) -> CheckedQuery:
    """Raises INPUT_INVALID for a query that the rules of queries do not allow."""
    if len(query.conditions) > MAX_CONDITIONS:
        raise invalid(f"a query has at most {MAX_CONDITIONS} conditions")
    if not 1 <= check_limit(query.limit) <= MAX_LIMIT:
        raise invalid(f"limit must be from 1 to {MAX_LIMIT}")
    conditions = tuple(_condition(table, one) for one in query.conditions)
    sort, descending = _sort(table, query)
    among = [one.field for one in conditions if one.operator == "in"]
    ranged = sorted({one.field for one in conditions if one.operator in RANGES})
    if len(among) > 1:
        raise invalid("a query has at most one condition with in")
    if len(ranged) > 1:
        raise invalid(f"range conditions may be on one field only, not on {', '.join(ranged)}")
    if ranged and sort and sort[0] != ranged[0]:
        raise invalid(f"the first sort field must be {ranged[0]}, which has the range condition")
    if among and among[0] in sort[1:]:
        raise invalid(f"{among[0]} has the in condition, so it can be the first sort field only")
    return CheckedQuery(table, conditions, sort or tuple(ranged), descending, query.limit, query.after)


def check_limit(limit: Json) -> int:
    if type(limit) is not int:
        raise invalid("limit must be an integer")
    return limit


def needs_index(query: CheckedQuery, *, count: bool = False) -> NotochordError:
    """Return the error for a large table without the index, which names it."""
    name = query.table.name
    wanted = query.needed
    if count:
        extra = query.range if query.range and query.range not in query.fixed else ""
        wanted = (*query.fixed, extra) if extra else query.fixed
    if not wanted or (query.contains and not query.fixed and not query.range):
        detail = f"query on '{name}' needs an index: array-contains needs an indexed == or range condition beside it"
    else:
        detail = f"query on '{name}' needs an index: add {dumped(list(wanted))} to data.collections.{name}.indexes"
    return NotochordError(Code.DATA_NEEDS_INDEX, Fault.GUEST, detail)


def scanned_too_much(name: str, what: str) -> NotochordError:
    detail = f"query on '{name}' goes over more than {what}: add conditions that narrow it down"
    return NotochordError(Code.DATA_NEEDS_INDEX, Fault.GUEST, detail)


def _is_pinned(condition: Condition) -> bool:
    return condition.operator == "==" and condition.value is not None


def _condition(table: Table, given: Condition) -> Condition:
    field = _field(table, given.field)
    operator = given.operator
    if operator not in OPERATORS:
        raise invalid(f"there is no operator {operator[:40]!r}")
    where = f"{table.name}.{field.name}"
    if (field.type is FieldType.ARRAY) != (operator == "array-contains") or not (field.scalar or field.items):
        raise invalid(f"{where} is of type {field.type} and cannot be filtered with {operator}")
    kind = field.items or field.type
    if operator == "in":
        return Condition(field.name, operator, _among(where, given.value, kind))
    if given.value is None and operator in ("==", "!="):
        return given
    if not comparable(given.value, kind):
        raise invalid(f"{where} is compared with a value that is no {kind}")
    return Condition(field.name, operator, as_stored(given.value))


def _among(where: str, given: Json, kind: FieldType) -> Json:
    if not isinstance(given, list) or not 1 <= len(given) <= MAX_IN:
        raise invalid(f"{where}: in takes a list of 1 to {MAX_IN} values")
    if not all(comparable(value, kind) for value in given):
        raise invalid(f"{where} is compared with a value that is no {kind}")
    values: list[Json] = []
    for value in map(as_stored, given):
        if value not in values:
            values.append(value)
    return values


def _sort(table: Table, query: Query) -> tuple[tuple[str, ...], bool]:
    if len(query.order) > MAX_ORDER:
        raise invalid(f"a query has at most {MAX_ORDER} sort fields")
    fields = []
    for name, direction in query.order:
        field = _field(table, name)
        if not field.scalar:
            raise invalid(f"{table.name}.{field.name} is of type {field.type} and cannot be sorted by")
        if direction not in ("asc", "desc"):
            raise invalid("the direction of orderBy is 'asc' or 'desc'")
        fields.append(name)
    if len({direction for _, direction in query.order}) > 1:
        raise invalid("all orderBy of a query have the same direction")
    if len(set(fields)) != len(fields):
        raise invalid("a field is sorted by twice")
    return tuple(fields), bool(query.order) and query.order[0][1] == "desc"


def _field(table: Table, name: str) -> Field:
    field = table.fields.get(name)
    if field is None:
        raise invalid(f"{table.name} has no field {name[:80]!r}")
    return field
