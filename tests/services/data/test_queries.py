"""Queries: the rules, every operator against a plain reading of them, and cursors while records change."""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.data.api import Condition, Delete, Insert, Query, StoredRecord, Update, Write
from notochord.services.data.parsing import parse
from notochord.services.data.queries import check_query
from notochord.services.data.store import EncryptedStore
from support.data import GEM, opened, table
from support.memory_folders import memory

FIELDS = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "yes": {"type": "boolean"},
    "names": {"type": "array", "items": "string"},
    "loose": {"type": "array"},
    "plain": {"type": "object"},
    "any": {"type": "any"},
}
DECLARED = table(FIELDS, indexes=[["text", "number"], ["yes", "text"], ["number"], ["text"], ["number", "text"]])


def where(*conditions: tuple[str, str, Json], order: str = "", descending: bool = False, **more: Any) -> Query:
    """Return a query of `items`; `order` names sort fields, separated by blanks."""
    sort = tuple((name, "desc" if descending else "asc") for name in order.split())
    return Query("items", tuple(Condition(*one) for one in conditions), sort, **more)


async def ids(store: EncryptedStore, query: Query) -> list[str]:
    """Return the ids of all pages of a query."""
    found: list[str] = []
    page = await store.records.page(query)
    found += [one.id for one in page.items]
    while page.next_cursor:
        page = await store.records.page(replace(query, after=page.next_cursor))
        found += [one.id for one in page.items]
    return found


async def fill(store: EncryptedStore, contents: Sequence[dict[str, Json]]) -> None:
    """Insert records with the ids r000, r001 …"""
    writes: list[Write] = [Insert("items", content, f"r{n:03}") for n, content in enumerate(contents)]
    for start in range(0, len(writes), 500):
        await store.records.transact((), writes[start : start + 500], GEM)


BAD = [
    pytest.param(where(("text", "like", "a")), marks=pytest.mark.req("DATA-139")),
    pytest.param(where(("text", "in", [str(n) for n in range(31)])), marks=pytest.mark.req("DATA-140")),
    pytest.param(where(("text", "in", [])), marks=pytest.mark.req("DATA-141")),
    pytest.param(where(("text", "in", "a"))),
    pytest.param(where(("text", "in", ["a", None]))),
    pytest.param(where(("text", "<", None))),
    pytest.param(where(("plain", "==", None)), marks=pytest.mark.req("DATA-144", "DECL-058", "DATA-068")),
    pytest.param(where(("any", "==", 1)), marks=pytest.mark.req("DATA-144", "DECL-059", "DATA-069")),
    pytest.param(where(("none", "==", 1))),
    pytest.param(where(("loose", "array-contains", 1)), marks=pytest.mark.req("DATA-067", "DECL-075", "DATA-066")),
    pytest.param(where(("names", "array-contains", 1)), marks=pytest.mark.req("DATA-146")),
    pytest.param(where(("names", "==", ["a"])), marks=pytest.mark.req("DATA-147", "DECL-057")),
    pytest.param(where(("text", "array-contains", "a"))),
    pytest.param(where(order="names"), marks=pytest.mark.req("DATA-145")),
    pytest.param(where(order="plain"), marks=pytest.mark.req("DATA-145", "DATA-068")),
    pytest.param(where(order="any"), marks=pytest.mark.req("DATA-145", "DATA-069")),
    pytest.param(where(("number", "==", "1")), marks=pytest.mark.req("DATA-146")),
    pytest.param(where(("number", "==", True)), marks=pytest.mark.req("DATA-146")),
    pytest.param(where(("yes", "==", 1)), marks=pytest.mark.req("DATA-146")),
    pytest.param(where(*[("text", "==", "a")] * 17), marks=pytest.mark.req("DATA-148")),
    pytest.param(where(("text", "in", ["a"]), ("number", "in", [1])), marks=pytest.mark.req("DATA-150")),
    pytest.param(where(("text", "<", "a"), ("number", ">", 1)), marks=pytest.mark.req("DATA-151")),
    pytest.param(where(("text", "!=", "a"), ("number", ">", 1)), marks=pytest.mark.req("DATA-151")),
    pytest.param(where(("text", "<", "a"), order="number text"), marks=pytest.mark.req("DATA-152")),
    pytest.param(
        Query("items", order=(("text", "asc"), ("number", "desc"))), marks=pytest.mark.req("DATA-153")
    ),
    pytest.param(Query("items", order=(("text", "up"),))),
    pytest.param(where(order="text text")),
    pytest.param(where(("text", "in", ["a"]), order="number text"), marks=pytest.mark.req("DATA-154")),
    pytest.param(where(limit=0)),
    pytest.param(where(limit=1001), marks=pytest.mark.req("DATA-163")),
]  # fmt: skip


@pytest.mark.parametrize("query", BAD)
def test_a_query_against_the_rules_is_refused(query: Query) -> None:
    declaration, _ = parse(DECLARED)
    with pytest.raises(NotochordError) as caught:
        check_query(declaration.tables["items"], query)
    assert caught.value.code is Code.INPUT_INVALID


async def test_a_refused_query_reaches_nobody_through_the_store(tmp_path: Path) -> None:
    async with opened(tmp_path, DECLARED) as store:
        for query in (where(("text", "like", "a")), where(after="nonsense")):
            with pytest.raises(NotochordError) as caught:
                await store.records.page(query)
            assert caught.value.code is Code.INPUT_INVALID


@pytest.mark.req("DATA-149")
async def test_a_query_has_at_most_eight_sort_fields(tmp_path: Path) -> None:
    names = [f"f{n}" for n in range(9)]
    async with opened(tmp_path, table({name: {"type": "string"} for name in names})) as store:
        await store.records.page(where(order=" ".join(names[:8])))
        with pytest.raises(NotochordError, match="8 sort fields"):
            await store.records.page(where(order=" ".join(names)))


@pytest.mark.req("DATA-148", "DATA-140")
async def test_sixteen_conditions_and_thirty_values_are_allowed(tmp_path: Path) -> None:
    async with opened(tmp_path, DECLARED) as store:
        await fill(store, [{"text": "a"}])
        assert await ids(store, where(*[("text", "==", "a")] * 16)) == ["r000"]
        assert await ids(store, where(("text", "in", [chr(97 + n) for n in range(30)]))) == ["r000"]


RECORDS: list[dict[str, Json]] = [
    {"text": "b", "number": 1},
    {"text": "a", "number": 2, "yes": True},
    {"number": 3, "names": ["x", "y"]},
    {"text": "B", "names": []},
    {"text": "\uffff"},
    {"text": "\U00010000"},
]
READ = [
    pytest.param(where(("text", "==", None)), [2], marks=pytest.mark.req("DATA-142")),
    pytest.param(where(("text", "!=", None)), [3, 1, 0, 4, 5], marks=pytest.mark.req("DATA-143", "DATA-155")),
    pytest.param(where(("text", "!=", "a")), [3, 0, 4, 5], marks=pytest.mark.req("DATA-159")),
    pytest.param(where(("text", "<", "z")), [3, 1, 0], marks=pytest.mark.req("DATA-158", "DATA-161")),
    pytest.param(where(("text", ">=", "\uffff")), [4, 5], marks=pytest.mark.req("DATA-160")),
    pytest.param(where(order="text"), [3, 1, 0, 4, 5], marks=pytest.mark.req("DATA-157", "DATA-160", "DECL-052")),
    pytest.param(where(order="text", descending=True), [5, 4, 0, 1, 3], marks=pytest.mark.req("DATA-160")),
    pytest.param(where(), [0, 1, 2, 3, 4, 5], marks=pytest.mark.req("DATA-156")),
    pytest.param(where(("text", "in", ["b", "a", "a"])), [0, 1], marks=pytest.mark.req("DATA-156", "DECL-051")),
    pytest.param(where(("text", "in", ["b", "a"]), order="text"), [1, 0]),
    pytest.param(where(("text", "in", ["b", "a"]), order="number", descending=True), [1, 0]),
    pytest.param(where(("names", "array-contains", "y")), [2], marks=pytest.mark.req("DATA-066", "DATA-147")),
    pytest.param(where(("text", "==", None), order="text"), []),
    pytest.param(where(("number", ">", 1), ("number", "<=", 2)), [1]),
    pytest.param(where(("number", "==", 1.0)), [0]),
    pytest.param(where(("yes", "==", True)), [1]),
    pytest.param(where(("text", "==", "a"), order="text number"), [1]),
]


@pytest.mark.parametrize(("query", "found"), READ)
async def test_each_operator_reads_as_the_page_says(tmp_path: Path, query: Query, found: list[int]) -> None:
    async with opened(tmp_path, DECLARED) as store:
        await fill(store, RECORDS)
        assert await ids(store, replace(query, limit=2)) == [f"r{n:03}" for n in found]
        assert query.order or await store.records.count(query) == len(found)


@pytest.mark.req("DATA-133", "DATA-134", "DATA-162", "DATA-165")
async def test_a_page_has_a_hundred_records_and_a_cursor_while_there_are_more(tmp_path: Path) -> None:
    async with opened(tmp_path, DECLARED) as store:
        await fill(store, [{"number": n} for n in range(101)])
        page = await store.records.page(where())
        assert len(page.items) == 100
        assert page.items[7] == await store.records.get("items", "r007")
        assert page.next_cursor
        assert (await store.records.page(where(limit=101))).next_cursor == ""


@pytest.mark.req("DATA-166", "DATA-167", "DATA-163")
async def test_the_last_page_has_no_cursor(tmp_path: Path) -> None:
    async with opened(tmp_path, DECLARED) as store:
        await fill(store, [{"number": n % 3} for n in range(9)])
        first = await store.records.page(where(order="number", limit=6))
        last = await store.records.page(where(order="number", limit=1000, after=first.next_cursor))
        assert [one.id for one in (*first.items, *last.items)] == [f"r00{n}" for n in (0, 3, 6, 1, 4, 7, 2, 5, 8)]
        assert last.next_cursor == ""


async def test_the_cursor_of_another_query_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path, DECLARED) as store:
        await fill(store, [{"text": "a", "number": n} for n in range(5)])
        cursor = (await store.records.page(where(order="number", limit=2))).next_cursor
        for other in (where(order="text"), where(order="number", descending=True), where(("text", "==", "a"))):
            with pytest.raises(NotochordError, match="another query"):
                await store.records.page(replace(other, after=cursor))


@pytest.mark.req("DATA-135", "DATA-136", "DATA-137", "DATA-138")
async def test_a_count_looks_at_the_conditions_only(tmp_path: Path) -> None:
    async with opened(tmp_path, DECLARED) as store:
        await fill(store, [{"text": "a", "number": n} if n % 2 else {"number": n} for n in range(10)])
        cursor = (await store.records.page(where(("number", ">=", 4), limit=1))).next_cursor
        assert await store.records.count(where(("number", ">=", 4), order="number text", limit=1, after=cursor)) == 6


@pytest.mark.req("DATA-167")
async def test_pages_neither_repeat_nor_skip_what_stays_while_other_records_change(tmp_path: Path) -> None:
    async with opened(tmp_path, DECLARED) as store:
        await fill(store, [{"text": "a", "number": n // 4} for n in range(40)])
        query = where(("text", "==", "a"), order="number", limit=7)
        page = await store.records.page(query)
        seen = [one.id for one in page.items]
        for step in range(10):
            last = seen[-1]
            if last != "r000":
                await store.records.delete(Delete("items", last), GEM)
            await store.records.insert(Insert("items", {"text": "a", "number": -1}), GEM)
            await store.records.update(Update("items", "r000", {"number": 100 + step}), GEM)
            if not page.next_cursor:
                break
            page = await store.records.page(replace(query, after=page.next_cursor))
            seen += [one.id for one in page.items]
        assert seen[:-1] == [f"r{n:03}" for n in range(40)]
        assert seen[-1] == "r000"


@pytest.mark.req("DATA-164")
async def test_a_page_over_sixteen_megabytes_is_refused_and_a_smaller_one_works(tmp_path: Path) -> None:
    async with opened(tmp_path, DECLARED) as store:
        await store.records.transact((), [Insert("items", {"text": "x" * 1_040_000}) for _ in range(17)], GEM)
        with pytest.raises(NotochordError) as caught:
            await store.records.page(where())
        assert caught.value.code is Code.PAYLOAD_TOO_LARGE
        assert len((await store.records.page(where(limit=16))).items) == 16


# -- every query against a plain reading of the rules

TEXTS = st.sampled_from(["", "a", "A", "b", "é", "\uffff", "\U00010000", "a\x00"])
NUMBERS = st.sampled_from([0, -1, 1, 0.1, 2**53, 1e300, -5e-324])
VALUES: dict[str, st.SearchStrategy[Any]] = {"text": TEXTS, "number": NUMBERS, "yes": st.booleans()}
CONTENT = st.fixed_dictionaries({}, optional={**VALUES, "names": st.lists(TEXTS, max_size=3)})


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """Draw a query that keeps the rules."""
    conditions: list[Condition] = []
    field = draw(st.sampled_from(["text", "number", "yes"]))
    ranged = draw(st.booleans())
    if ranged:
        sign = draw(st.sampled_from(["<", "<=", ">", ">=", "!="]))
        value = draw(st.none() if sign == "!=" and draw(st.booleans()) else VALUES[field])
        conditions.append(Condition(field, sign, value))
    for other in draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=2)):
        conditions.append(Condition(other, "==", draw(st.one_of(st.none(), VALUES[other]))))
    among = draw(st.one_of(st.none(), st.sampled_from(sorted(VALUES))))
    if among:
        conditions.append(Condition(among, "in", draw(st.lists(VALUES[among], min_size=1, max_size=3))))
    if draw(st.booleans()):
        conditions.append(Condition("names", "array-contains", draw(TEXTS)))
    order = draw(st.permutations(sorted(VALUES)).map(lambda found: found[:2]))
    order = order if draw(st.booleans()) else []
    if ranged and order:
        order = [field, *(name for name in order if name != field)]
    order = [name for place, name in enumerate(order) if name != among or place == 0]
    direction = draw(st.sampled_from(["asc", "desc"]))
    return Query("items", tuple(draw(st.permutations(conditions))), tuple((name, direction) for name in order),
                 limit=draw(st.integers(1, 4)))  # fmt: skip


def meets(content: dict[str, Any], condition: Condition) -> bool:
    value, wanted = content.get(condition.field), condition.value
    match condition.operator:
        case "==":
            return value == wanted
        case "!=":
            return value is not None and value != wanted
        case "in":
            assert isinstance(wanted, list)
            return value in wanted
        case "array-contains":
            return isinstance(value, list) and wanted in value
        case _:
            return value is not None and compares(value, condition.operator, wanted)


def compares(value: Any, operator: str, wanted: Any) -> bool:
    compared: bool = {
        "<": lambda: value < wanted, "<=": lambda: value <= wanted, ">": lambda: value > wanted,
        ">=": lambda: value >= wanted,
    }[operator]()  # fmt: skip
    return compared


def expected(contents: list[dict[str, Any]], query: Query) -> list[str]:
    ranged = next((one.field for one in query.conditions if one.operator in ("<", "<=", ">", ">=", "!=")), None)
    order = [name for name, _ in query.order] or ([ranged] if ranged else [])
    found = [
        (tuple(content[name] for name in order), f"r{number:03}")
        for number, content in enumerate(contents)
        if all(meets(content, one) for one in query.conditions) and all(name in content for name in order)
    ]
    return [identifier for _, identifier in sorted(found, reverse=bool(query.order) and query.order[0][1] == "desc")]


@given(st.lists(CONTENT, max_size=12), st.lists(queries(), min_size=1, max_size=12))
@settings(max_examples=25)
def test_any_query_gives_what_a_plain_reading_of_the_rules_gives(
    contents: list[dict[str, Json]], asked: list[Query]
) -> None:
    async def play(folder: Path) -> None:
        async with opened(folder, DECLARED) as store:
            await fill(store, contents)
            for query in asked:
                wanted = expected(contents, query)
                assert await ids(store, query) == wanted
                plain = [content for content in contents if all(meets(content, one) for one in query.conditions)]
                assert await store.records.count(query) == len(plain)

    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        asyncio.run(play(Path(folder)))


def test_control_the_plain_reading_is_not_empty() -> None:
    record = StoredRecord("r000", 1, 0, 0, '{"text":"a"}')
    assert expected([record.data], where(("text", "==", "a"))) == ["r000"]
