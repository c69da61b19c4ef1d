"""Records: what is written is checked, versioned, and there when it is read."""

import math
from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.data.api import Append, Condition, Delete, Insert, Query, Update
from notochord.services.data.store import EncryptedStore
from support.clocks import HandClock
from support.data import GEM, opened, table

HASH = "0" * 64


async def refused(attempt: Any) -> Code:
    with pytest.raises(NotochordError) as caught:
        await attempt
    return caught.value.code


def nested(levels: int) -> Json:
    value: Json = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


EVERY = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "whole": {"type": "integer"},
    "yes": {"type": "boolean"},
    "moment": {"type": "timestamp"},
    "other": {"type": "ref", "to": "items"},
    "photo": {"type": "blob"},
    "names": {"type": "array", "items": "string"},
    "things": {"type": "array"},
    "plain": {"type": "object"},
    "any": {"type": "any"},
    "size": {"type": "string", "enum": ["s", "m"]},
    "level": {"type": "integer", "enum": [1, 2]},
}

FITTING: list[dict[str, Json]] = [
    {"text": "", "number": 0.1, "whole": -(2**53 - 1), "yes": False, "moment": 0, "other": "a_-9"},
    {"number": 1e30, "whole": 5.0, "names": [], "things": [1, None, {"a": []}], "plain": {}, "any": None},
    {"any": "text", "plain": nested(32), "things": [[[]]], "size": "s", "level": 2, "names": ["a", "a"]},
    {"any": False, "number": -0.0, "text": "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")},
    {"text": "a\x00b\u2028", "number": 5e-324},
]

UNFITTING: list[tuple[dict[str, Json], tuple[str, ...]]] = [
    ({"text": 5}, ("DATA-055", "DATA-087")),
    ({"text": "\ud800"}, ()),
    ({"number": "5"}, ("DATA-088",)),
    ({"number": True}, ("DATA-087",)),
    ({"number": math.inf}, ("DATA-056",)),
    ({"number": math.nan}, ("DATA-056",)),
    ({"number": 10**400}, ("DATA-056",)),
    ({"whole": 1.5}, ("DATA-057",)),
    ({"whole": 2**53}, ("DATA-057",)),
    ({"yes": 1}, ("DATA-058",)),
    ({"moment": 1.5}, ("DATA-059",)),
    ({"moment": "2026-01-01"}, ("DATA-059", "DECL-054")),
    ({"other": "a b"}, ("DATA-091", "DATA-060", "DECL-055")),
    ({"other": ""}, ("DATA-091",)),
    ({"photo": HASH}, ("DATA-090", "DATA-061")),
    ({"photo": "0" * 63}, ("DATA-061", "DECL-056")),
    ({"names": "a"}, ("DATA-062",)),
    ({"names": ["a", 1]}, ("DATA-062",)),
    ({"names": ["a", None]}, ("DATA-062",)),
    ({"plain": []}, ("DATA-063",)),
    ({"plain": nested(33)}, ("DATA-093",)),
    ({"any": nested(33)}, ("DATA-094",)),
    ({"things": [nested(32)]}, ("DATA-095",)),
    ({"size": "l"}, ("DATA-074",)),
    ({"level": 3}, ("DATA-074",)),
    ({"none": 1}, ("DATA-089", "DECL-014")),
]


@pytest.mark.req("DATA-003", "DATA-064", "DATA-092", "DATA-097")
async def test_what_fits_is_stored_as_it_was_given_without_null(tmp_path: Path) -> None:
    async with opened(tmp_path, table(EVERY)) as store:
        for given in FITTING:
            made = await store.records.insert(Insert("items", given), GEM)
            found = await store.records.get("items", made.id)
            assert found is not None
            assert found.data == {name: value for name, value in given.items() if value is not None}


@pytest.mark.parametrize(
    "content", [pytest.param(content, marks=pytest.mark.req(*rows) if rows else ()) for content, rows in UNFITTING]
)
async def test_what_does_not_fit_is_refused(checked: EncryptedStore, content: dict[str, Json]) -> None:
    assert await refused(checked.records.insert(Insert("items", content), GEM)) is Code.INPUT_INVALID
    assert await refused(checked.records.update(Update("items", "kept", content), GEM)) is Code.INPUT_INVALID
    kept = await checked.records.get("items", "kept")
    assert kept is not None
    assert kept.version == 1
    assert await checked.records.count(Query("items")) == 1


@pytest.fixture
async def checked(tmp_path: Path) -> Any:
    async with opened(tmp_path, table(EVERY)) as store:
        await store.records.insert(Insert("items", {}, "kept"), GEM)
        yield store


@pytest.mark.req("DATA-106", "DATA-107", "DATA-112", "DATA-113")
async def test_a_record_is_made_and_read_with_its_version_and_times(store: EncryptedStore, clock: HandClock) -> None:
    made = await store.records.insert(Insert("projects", {"name": "a"}), GEM)
    assert made.version == 1
    assert store.node_id(f"rec/projects/{made.id}") == f"gem:sales/rec/projects/{made.id}"
    now = clock.milliseconds()
    clock.advance(5)
    assert (await store.records.update(Update("projects", made.id, {"open_count": 1}), GEM)).version == 2
    found = await store.records.get("projects", made.id)
    assert found is not None
    assert (found.version, found.created_at, found.updated_at) == (2, now, now + 5_000)
    assert await store.records.get("projects", "none") is None


@pytest.mark.req("DATA-114", "DATA-115", "DATA-116", "DATA-098")
async def test_an_update_merges_by_field_and_null_deletes(store: EncryptedStore) -> None:
    start: Json = {"title": "a", "status": "open", "due": 1, "extra": {"x": 1, "y": 2}}
    made = await store.records.insert(Insert("notes", start), GEM)
    await store.records.update(Update("notes", made.id, {"due": None, "extra": {"z": 3}, "status": "done"}), GEM)
    found = await store.records.get("notes", made.id)
    assert found is not None
    assert found.data == {"title": "a", "status": "done", "extra": {"z": 3}}


@pytest.mark.req("DATA-070", "DATA-117", "DECL-060")
async def test_a_required_field_has_to_be_there_also_after_a_patch(store: EncryptedStore) -> None:
    assert await refused(store.records.insert(Insert("notes", {"status": "open"}), GEM)) is Code.INPUT_INVALID
    assert await refused(store.records.insert(Insert("notes", {"title": None}), GEM)) is Code.INPUT_INVALID
    made = await store.records.insert(Insert("notes", {"title": "a"}), GEM)
    attempt = store.records.update(Update("notes", made.id, {"title": None}), GEM)
    assert await refused(attempt) is Code.INPUT_INVALID


@pytest.mark.req("DATA-096")
async def test_null_is_the_same_as_no_field(store: EncryptedStore) -> None:
    await store.records.insert(Insert("notes", {"title": "a", "due": None}, "null"), GEM)
    await store.records.insert(Insert("notes", {"title": "b"}, "none"), GEM)
    page = await store.records.page(Query("notes", (Condition("due", "==", None),)))
    assert [(one.id, "due" in one.data) for one in page.items] == [("none", False), ("null", False)]


@pytest.mark.req("DATA-109", "DATA-110", "DATA-111")
@pytest.mark.parametrize("identifier", ["", "a b", "ä", "a/b", "a" * 129, "a\n"])
async def test_an_id_has_1_to_128_plain_characters(store: EncryptedStore, identifier: str) -> None:
    insert = Insert("projects", {"name": "a"}, identifier)
    assert await refused(store.records.insert(insert, GEM)) is Code.INPUT_INVALID


@pytest.mark.req("DATA-108", "DATA-110", "DATA-129", "DATA-123")
async def test_an_id_is_taken_until_its_record_is_deleted(store: EncryptedStore) -> None:
    longest = "a" * 128
    await store.records.insert(Insert("projects", {"name": "a"}, longest), GEM)
    await store.records.update(Update("projects", longest, {"open_count": 1}), GEM)
    again = Insert("projects", {"name": "b"}, longest)
    assert await refused(store.records.insert(again, GEM)) is Code.DATA_CONFLICT
    assert await store.records.delete(Delete("projects", longest), GEM)
    assert (await store.records.insert(again, GEM)).version == 1
    found = await store.records.get("projects", longest)
    assert found is not None
    assert found.data == {"name": "b"}


@pytest.mark.req("DATA-423", "DATA-108")
async def test_a_record_that_is_inserted_once_more_is_a_conflict_although_its_values_repeat_too(
    store: EncryptedStore,
) -> None:
    again = Insert("projects", {"name": "a"}, "one")
    await store.records.insert(again, GEM)
    assert await refused(store.records.insert(again, GEM)) is Code.DATA_CONFLICT
    assert await refused(store.records.transact((), [again], GEM)) is Code.DATA_CONFLICT


@pytest.mark.req("DATA-119", "DATA-120", "DATA-121", "DATA-122")
async def test_what_is_not_there_can_be_deleted_but_not_changed(store: EncryptedStore) -> None:
    assert await refused(store.records.update(Update("notes", "none", {}), GEM)) is Code.DATA_NOT_FOUND
    assert not await store.records.delete(Delete("notes", "none"), GEM)
    assert await refused(store.records.delete(Delete("notes", "none", 1), GEM)) is Code.DATA_CONFLICT
    await store.records.insert(Insert("notes", {"title": "a"}, "one"), GEM)
    assert await store.records.delete(Delete("notes", "one"), GEM)


@pytest.mark.req("DATA-124", "DATA-125", "DATA-126", "DATA-118")
async def test_a_write_that_names_an_older_version_changes_nothing(store: EncryptedStore) -> None:
    await store.records.insert(Insert("notes", {"title": "a"}, "one"), GEM)
    for version in (2, 3):
        written = await store.records.update(Update("notes", "one", {"title": str(version)}, version - 1), GEM)
        assert written.version == version
    assert await refused(store.records.update(Update("notes", "one", {"title": "x"}, 2), GEM)) is Code.DATA_CONFLICT
    assert await refused(store.records.delete(Delete("notes", "one", 2), GEM)) is Code.DATA_CONFLICT
    found = await store.records.get("notes", "one")
    assert found is not None
    assert (found.data, found.version) == ({"title": "3"}, 3)
    assert await store.records.delete(Delete("notes", "one", 3), GEM)


@pytest.mark.req("DATA-127", "DECL-017")
async def test_a_deleted_record_is_out_of_sight(store: EncryptedStore) -> None:
    await store.records.insert(Insert("notes", {"title": "a"}, "one"), GEM)
    await store.records.delete(Delete("notes", "one"), GEM)
    assert await store.records.get("notes", "one") is None
    assert (await store.records.page(Query("notes"))).items == ()
    assert await store.records.count(Query("notes")) == 0


@pytest.mark.req("DATA-071", "DECL-061")
async def test_a_unique_value_stands_once_among_live_records(store: EncryptedStore) -> None:
    await store.records.insert(Insert("projects", {"name": "a"}, "one"), GEM)
    await store.records.insert(Insert("projects", {"name": "b"}, "two"), GEM)
    assert await refused(store.records.insert(Insert("projects", {"name": "a"}), GEM)) is Code.DATA_UNIQUE
    assert await refused(store.records.update(Update("projects", "two", {"name": "a"}), GEM)) is Code.DATA_UNIQUE
    await store.records.update(Update("projects", "one", {"name": "a", "open_count": 1}), GEM)
    await store.records.delete(Delete("projects", "one"), GEM)
    await store.records.update(Update("projects", "two", {"name": "a"}), GEM)


async def test_records_without_a_unique_field_do_not_repeat_it(tmp_path: Path) -> None:
    async with opened(tmp_path, table({"code": {"type": "number", "unique": True}, "a": {"type": "any"}})) as store:
        for _ in range(3):
            await store.records.insert(Insert("items", {"a": 1}), GEM)
        await store.records.insert(Insert("items", {"code": 1}), GEM)
        assert await refused(store.records.insert(Insert("items", {"code": 1.0}), GEM)) is Code.DATA_UNIQUE


@pytest.mark.req("DATA-508", "DATA-219")
async def test_a_record_or_an_entry_has_at_most_a_mebibyte_of_json(store: EncryptedStore, tmp_path: Path) -> None:
    room = 1_048_576 - len('{"title":""}')
    await store.records.insert(Insert("notes", {"title": "字" * (room // 3)}), GEM)
    await store.records.insert(Insert("notes", {"title": "x" * room}), GEM)
    for title in ("x" * (room + 1), "字" * (room // 3 + 1)):
        assert await refused(store.records.insert(Insert("notes", {"title": title}), GEM)) is Code.PAYLOAD_TOO_LARGE
    declared = {"collections": {"seen": {"kind": "log", "fields": {"title": {"type": "string"}}}}}
    async with opened(tmp_path / "log", declared) as logs:
        await logs.records.append(Append("seen", {"title": "x" * room}), GEM)
        attempt = logs.records.append(Append("seen", {"title": "x" * (room + 1)}), GEM)
        assert await refused(attempt) is Code.PAYLOAD_TOO_LARGE


@pytest.mark.req("DATA-515", "DATA-516")
async def test_a_collection_that_is_not_declared_or_of_the_other_kind_is_refused(store: EncryptedStore) -> None:
    for attempt in (
        store.records.insert(Insert("none", {}), GEM),
        store.records.get("readings", "a"),
        store.records.page(Query("readings")),
        store.records.append(Append("notes", {}), GEM),
    ):
        assert await refused(attempt) is Code.INPUT_INVALID


@pytest.mark.req("DATA-128", "DATA-492")
async def test_the_content_of_a_deleted_record_stays_in_the_store(store: EncryptedStore) -> None:
    for title in ("first", "second"):
        await store.records.insert(Insert("notes", {"title": title}, "one"), GEM)
        await store.records.delete(Delete("notes", "one"), GEM)
    kept = await store.access.read(lambda c: c.execute("SELECT data FROM deleted_records ORDER BY n").fetchall())
    assert [row[0] for row in kept] == ['{"title":"first"}', '{"title":"second"}']


@pytest.mark.req("DATA-517", "DATA-518")
async def test_a_closed_store_refuses_every_call(tmp_path: Path) -> None:
    async with opened(tmp_path, table({"a": {"type": "any"}})) as store:
        pass
    for attempt in (
        store.records.insert(Insert("items", {}), GEM),
        store.records.get("items", "a"),
        store.documents.get("a"),
        store.blobs.stat(HASH),
        store.references.outgoing("gem:sales/doc/a"),
        store.kv_set("a", "b", GEM),
    ):
        assert await refused(attempt) is Code.DATA_CLOSED
