"""The JSON Schema of drafts and the parser of the `data` section agree, whatever an author writes."""

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from notochord.core.strict_json import Json
from notochord.services.data.declaration import FieldType
from notochord.services.data.parsing import parse
from support.declared import BEYOND_A_SCHEMA, told_by

KINDS = [kind.value for kind in FieldType]
NAMES = st.sampled_from(["a", "b", "c_9", "z" * 64])
WRONG_NAMES = st.sampled_from(["A", "9", "_a", "a-b", "a\n", "", "ä", "z" * 65])
ODD: st.SearchStrategy[Json] = st.sampled_from(
    [None, True, False, 0, 1, 2.0, 1.5, -1, "", "a", [], ["a"], {}, {"a": 1}]
)
TEXTS = st.sampled_from(["", "What it is for.", "d" * 500, "d" * 501, "字" * 500])
PATHS = st.sampled_from(
    ["m.js", "m/n.mjs", "a..b.ts", "..ts", "m.py", "/m.js", "../m.js", "m/../n.js", "m\\n.js", "m.js\n", "x\n/../m.ts"]
)
COUNTS = st.sampled_from([0, 1, 2, 2.0, 3650, 3651, 36500, 36501, 10_000_000, 10_000_001, 2**31 - 1, 2**31])
VALUES: st.SearchStrategy[Json] = st.lists(
    st.sampled_from(["x", "y", 1, 1.0, 1.5, True, 2**53 - 1, 2**53, None, []]), max_size=3
).map(list)


def seldom(usual: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    """Draw what could stand there, and now and then what could not."""
    return st.integers(0, 11).flatmap(lambda drawn: ODD if drawn == 0 else usual)


def named(values: st.SearchStrategy[Json], *, most: int) -> st.SearchStrategy[Json]:
    names = st.integers(0, 11).flatmap(lambda drawn: WRONG_NAMES if drawn == 0 else NAMES)
    return st.dictionaries(names, values, max_size=most).map(dict)


def an_object(
    required: dict[str, st.SearchStrategy[Json]], optional: dict[str, st.SearchStrategy[Json]]
) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(required, optional=optional).map(dict)


def mixed(pair: tuple[Json, Json]) -> Json:
    """Put what only a Log has into a table."""
    table, log = pair
    return {**log, **table} if isinstance(table, dict) and isinstance(log, dict) else table


FIELD = an_object(
    {"type": seldom(st.sampled_from(KINDS))},
    {
        "required": seldom(st.booleans()),
        "unique": seldom(st.booleans()),
        "enum": seldom(VALUES),
        "to": seldom(NAMES),
        "items": seldom(st.sampled_from(KINDS)),
        "description": seldom(TEXTS),
    },
)
SIMPLE = an_object({"type": st.sampled_from(["string", "integer"])}, {})
FIELDS = seldom(named(st.one_of(SIMPLE, SIMPLE, seldom(FIELD)), most=3))
INDEX: st.SearchStrategy[Json] = st.lists(NAMES, max_size=3).map(list)
INDEXES: st.SearchStrategy[Json] = st.lists(INDEX, max_size=3).map(list)
TABLE = an_object(
    {"kind": seldom(st.just("table")), "fields": FIELDS},
    {
        "version": seldom(COUNTS),
        "migrations": seldom(PATHS),
        "indexes": seldom(INDEXES),
        "description": seldom(TEXTS),
    },
)
RETENTION = an_object({}, {"days": seldom(COUNTS), "maxEntries": seldom(COUNTS)})
LOG = an_object(
    {"kind": st.just("log"), "fields": FIELDS}, {"retention": seldom(RETENTION), "description": seldom(TEXTS)}
)
MIXED = st.tuples(TABLE, LOG).map(mixed)
COLLECTIONS = named(st.one_of(TABLE, LOG, TABLE, LOG, seldom(MIXED)), most=2)
SECTION = seldom(an_object({}, {"collections": seldom(COLLECTIONS), "eventRetentionDays": seldom(COUNTS)}))


@pytest.mark.req("STUDIO-034", "DATA-393")
@given(SECTION)
def test_a_section_is_refused_by_the_schema_when_its_parser_refuses_it(declared: Json) -> None:
    faults = parse(declared)[1]
    told = told_by("manifest", declared)
    beyond = [fault for fault in faults if BEYOND_A_SCHEMA.search(fault)]
    event("refused" if faults else "accepted")
    if faults == tuple(beyond):
        assert told == []
    else:
        assert told != [], faults


@given(SECTION)
def test_the_schema_of_packages_accepts_what_the_parser_accepts(declared: Json) -> None:
    if told_by("notochord", declared):
        assert parse(declared)[1] != ()
