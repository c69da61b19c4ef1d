"""The index rule: above a thousand records every query needs the index that serves it, and SQLite uses that index."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.data import pages
from notochord.services.data.api import Condition, Delete, Insert, Query, Write
from notochord.services.data.parsing import parse
from notochord.services.data.queries import CheckedQuery, check_query
from notochord.services.data.store import EncryptedStore
from support.data import GEM, opened, table
from support.vaults import MemoryVault

FIELDS = {
    "status": {"type": "string"},
    "due": {"type": "timestamp"},
    "project": {"type": "string"},
    "code": {"type": "string", "unique": True},
    "tags": {"type": "array", "items": "string"},
}


def asked(*conditions: tuple[str, str, object], order: str = "", indexes: str = "") -> CheckedQuery:
    """Return a checked query of a table with these indexes, written as `status,due project`."""
    declared = table(FIELDS, indexes=[index.split(",") for index in indexes.split()])
    declaration, faults = parse(declared)
    assert faults == ()
    return check_query(declaration.tables["items"], plain(*conditions, order=order))


def plain(*conditions: tuple[str, str, object], order: str = "", limit: int = 100) -> Query:
    sort = tuple((name, "asc") for name in order.split())
    return Query("items", tuple(Condition(*one) for one in conditions), sort, limit=limit)  # type: ignore[arg-type]


OPEN = ("status", "==", "open")
PAGES = [
    pytest.param([OPEN], "due", "status,due", True, marks=pytest.mark.req("DATA-180", "DATA-172")),
    pytest.param([OPEN], "", "status", True, marks=pytest.mark.req("DATA-181")),
    pytest.param([OPEN], "", "status,due", False, marks=pytest.mark.req("DATA-182", "DATA-176")),
    pytest.param([("due", "<", 5)], "", "due", True, marks=pytest.mark.req("DATA-183", "DATA-173")),
    pytest.param([], "due", "due", True, marks=pytest.mark.req("DATA-184")),
    pytest.param([("project", "==", "p"), ("status", "in", ["a", "b"])], "due", "project,status,due", True,
                 marks=pytest.mark.req("DATA-185", "DATA-171")),
    pytest.param([("project", "==", "p"), ("status", "in", ["a", "b"])], "due", "status,project,due", True,
                 marks=pytest.mark.req("DATA-185", "DATA-171")),
    pytest.param([OPEN], "due", "due,status", False, marks=pytest.mark.req("DATA-172")),
    pytest.param([OPEN], "due project", "status,due", False, marks=pytest.mark.req("DATA-177")),
    pytest.param([OPEN], "due", "status", False, marks=pytest.mark.req("DATA-177")),
    pytest.param([OPEN], "status due", "status,due", True, marks=pytest.mark.req("DATA-174")),
    pytest.param([("status", "in", ["a"])], "status due", "status,due", True, marks=pytest.mark.req("DATA-174")),
    pytest.param([("status", "==", None)], "due", "status,due", True, marks=pytest.mark.req("DATA-175")),
    pytest.param([("status", "==", None)], "status due", "status,due", True, marks=pytest.mark.req("DATA-175")),
    pytest.param([("code", "==", "c")], "", "due", False, marks=pytest.mark.req("DATA-190")),
    pytest.param([("due", "<", 5)], "due project", "due,project", True, marks=pytest.mark.req("DATA-173")),
]  # fmt: skip


@pytest.mark.parametrize(("conditions", "order", "indexes", "served"), PAGES)
def test_a_page_is_served_by_exactly_its_index(
    conditions: list[tuple[str, str, object]], order: str, indexes: str, served: bool
) -> None:
    assert (asked(*conditions, order=order, indexes=indexes).index() is not None) is served


COUNTS = [
    pytest.param([OPEN], "status,due", True, marks=pytest.mark.req("DATA-186", "DATA-179")),
    pytest.param([OPEN], "due,status", False, marks=pytest.mark.req("DATA-178")),
    pytest.param([OPEN, ("due", ">", 1)], "status,due,project", True, marks=pytest.mark.req("DATA-178", "DATA-179")),
    pytest.param([OPEN, ("due", ">", 1)], "status,project,due", False, marks=pytest.mark.req("DATA-178")),
    pytest.param([OPEN, ("project", "in", ["p"])], "project,status", True, marks=pytest.mark.req("DATA-178")),
]


@pytest.mark.parametrize(("conditions", "indexes", "served"), COUNTS)
def test_a_count_is_served_by_an_index_that_begins_with_its_fields(
    conditions: list[tuple[str, str, object]], indexes: str, served: bool
) -> None:
    assert (asked(*conditions, indexes=indexes).count_index() is not None) is served


DECLARED = table(FIELDS, indexes=[["status", "due"], ["project"], ["due"]])


def contents(count: int) -> list[Write]:
    return [
        Insert("items", {"status": ("done", "open")[n % 2], "due": n, "project": f"p{n % 3}", "tags": ["a"] * (n % 2)},
               f"r{n:05}") for n in range(count)
    ]  # fmt: skip


@pytest.fixture
async def large(tmp_path: Path) -> AsyncIterator[EncryptedStore]:
    """A store with 1001 records of one table."""
    async with opened(tmp_path, DECLARED) as store:
        writes = contents(1_001)
        for start in range(0, len(writes), 500):
            await store.records.transact((), writes[start : start + 500], GEM)
        yield store


async def code_of(store: EncryptedStore, query: Query, *, count: bool = False) -> tuple[Code, str] | None:
    """Return the code and the message with which a query is refused."""
    try:
        await (store.records.count(query) if count else store.records.page(query))
    except NotochordError as error:
        return error.code, str(error)
    return None


@pytest.mark.req("DATA-168", "DATA-169", "DATA-170", "DATA-127")
async def test_above_a_thousand_live_records_the_missing_index_is_named(large: EncryptedStore) -> None:
    query = plain(OPEN, order="project")
    begins = "E_DATA_NEEDS_INDEX: query on 'items' needs an index: add "
    told = f'{begins}["status","project"] to data.collections.items.indexes'
    assert await code_of(large, query) == (Code.DATA_NEEDS_INDEX, told)
    both = plain(("project", "==", "p1"), ("status", "in", ["open"]), order="due")
    told = f'{begins}["project","status","due"] to data.collections.items.indexes'
    assert await code_of(large, both) == (Code.DATA_NEEDS_INDEX, told)
    counted = plain(("project", "==", "p1"), ("due", ">", 5))
    told = f'{begins}["project","due"] to data.collections.items.indexes'
    assert await code_of(large, counted, count=True) == (Code.DATA_NEEDS_INDEX, told)
    await large.records.delete(Delete("items", "r00000"), GEM)
    assert await code_of(large, query) is None
    assert await code_of(large, counted, count=True) is None


@pytest.mark.req("DATA-187", "DATA-188", "DATA-189", "DATA-190")
async def test_what_needs_an_index_on_a_large_table_and_what_does_not(large: EncryptedStore) -> None:
    assert await code_of(large, plain()) is None
    assert await code_of(large, plain(), count=True) is None
    contains = ("tags", "array-contains", "a")
    for count in (False, True):
        refused = await code_of(large, plain(contains), count=count)
        assert refused is not None
        assert refused[0] is Code.DATA_NEEDS_INDEX
    assert await code_of(large, plain(contains, ("project", "==", "p1"))) is None
    assert await code_of(large, plain(contains, ("due", ">", 5))) is None
    assert await code_of(large, plain(contains, ("due", ">", 5)), count=True) is None
    refused = await code_of(large, plain(("code", "==", "c")))
    assert refused is not None
    assert '["code"]' in refused[1]


SERVED = [
    plain(OPEN, order="due"),
    plain(("status", "in", ["open", "done"]), order="due"),
    plain(("status", "in", ["open", "done"]), order="status due"),
    plain(("project", "==", "p1")),
    plain(("due", ">=", 500)),
    plain(("due", "!=", 3)),
    plain(order="due"),
    plain(("status", "==", None), order="due"),
]


@pytest.mark.req("DATA-180", "DATA-181", "DATA-183", "DATA-185")
async def test_the_plan_of_a_served_page_uses_the_declared_index_and_sorts_nothing(large: EncryptedStore) -> None:
    declaration, _ = parse(DECLARED)
    for query in SERVED:
        checked = check_query(declaration.tables["items"], query)
        index = checked.index()
        assert index is not None
        for after in (None, [*(["open"] if "status" in checked.sort else []), 500, "r00500"]):
            if after is not None and len(after) != len(checked.sort) + 1:
                continue
            for sql, values in pages.page_sql(1, checked, index, after):  # type: ignore[arg-type]
                plan = await large.access.read(
                    lambda c, sql=sql, values=values: [row[3] for row in c.execute(f"EXPLAIN QUERY PLAN {sql}", values)]  # type: ignore[misc]
                )
                assert len(plan) == 1, (query, plan)
                assert plan[0].startswith("SEARCH") or (query.order and plan[0].startswith("SCAN")), (query, plan)
                assert f"INDEX rec_1({','.join(index)})" in plan[0], (query, plan)


@pytest.mark.req("DATA-194")
async def test_a_page_reads_a_limited_size_of_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pages.SCAN_BYTES == 64 * 1_048_576
    monkeypatch.setattr(pages, "SCAN_BYTES", 64 * 1_024)
    declared = table({"a": {"type": "string"}, "tags": {"type": "array", "items": "string"}}, indexes=[["a"]])
    async with opened(tmp_path, declared) as store:
        writes: list[Write] = [
            Insert("items", {"a": "x", "tags": [str(n), "x" * 1_000]}, f"r{n:02}") for n in range(66)
        ]
        await store.records.transact((), writes, GEM)

        def tagged(tag: str, limit: int = 100) -> Query:
            return plain(("a", "==", "x"), ("tags", "array-contains", tag), limit=limit)

        for query in (tagged("none"), tagged("3"), tagged("3", 1)):
            refused = await code_of(store, query)
            assert refused is not None
            assert refused[0] is Code.DATA_NEEDS_INDEX
        both = await store.records.page(tagged("x" * 1_000, 3))
        assert [one.id for one in both.items] == ["r00", "r01", "r02"]


@pytest.mark.req("DATA-195")
async def test_a_count_over_its_limit_is_refused(large: EncryptedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pages.MAX_COUNTED == 1_000_000
    monkeypatch.setattr(pages, "MAX_COUNTED", 500)
    refused = await code_of(large, plain(OPEN, ("due", ">", 0)), count=True)
    assert refused is None
    refused = await code_of(large, plain(), count=True)
    assert refused is not None
    assert refused[0] is Code.DATA_NEEDS_INDEX


@pytest.mark.req("DATA-192", "DATA-193", "DECL-085", "DECL-086")
async def test_indexes_come_and_go_with_the_declaration_at_the_next_start(tmp_path: Path, keys: MemoryVault) -> None:
    async def indexes(declared: object) -> list[str]:
        async with opened(tmp_path, declared, vault=keys) as store:
            question = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'rec_1' AND sql NOT NULL"
            return sorted(await store.access.read(lambda c: [row[0] for row in c.execute(question)]))

    own = "rec_1 unique(code)"
    assert await indexes(table(FIELDS)) == [own]
    assert await indexes(DECLARED) == [own, "rec_1(due)", "rec_1(project)", "rec_1(status,due)"]
    assert await indexes(table(FIELDS, indexes=[["project"]])) == [own, "rec_1(project)"]
