"""What may change in a declaration within one version, what needs a migration, and what is never allowed."""

import json
from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.data.api import Batches, Delete, Insert, MigrationJob, Query, Source, Update
from notochord.services.data.service import DataService
from support.clocks import HandClock
from support.data import GEM, OWNER, opened, table
from support.vaults import MemoryVault

STRING = {"type": "string"}
NUMBER = {"type": "number"}
BASE = table(
    {
        "a": {**STRING, "required": True},
        "b": {**STRING, "enum": ["x", "y"]},
        "c": {**STRING, "unique": True},
        "r": {"type": "ref", "to": "items"},
        "l": {"type": "array", "items": "string"},
    },
    indexes=[["a"]],
)
FIELDS = BASE["collections"]["items"]["fields"]


def changed(**fields: Any) -> dict[str, Any]:
    """Return the declaration with other fields; None takes one away."""
    merged = {**FIELDS, **fields}
    return table({name: field for name, field in merged.items() if field is not None}, indexes=[["a"]])


async def outcome(folder: Path, keys: MemoryVault, *declared: Any) -> Code | None:
    """Open a store under one declaration after the other; return the code with which the last is refused."""
    clock = HandClock()
    for number, each in enumerate(declared):
        try:
            async with opened(folder, each, vault=keys, stamp=str(number), clock=clock) as store:
                if each is BASE and number == 0:
                    await store.records.insert(Insert("items", {"a": "1", "b": "x", "c": "1"}, "one"), GEM)
                    await store.records.insert(Insert("items", {"a": "1"}, "two"), GEM)
        except NotochordError as error:
            return error.code
    return None


ALLOWED = [
    pytest.param(changed(d=NUMBER), id="optional field", marks=pytest.mark.req("DATA-334", "DECL-080")),
    pytest.param(changed(a=STRING), id="not required", marks=pytest.mark.req("DATA-335", "DECL-081")),
    pytest.param(changed(c=STRING), id="not unique", marks=pytest.mark.req("DATA-336", "DECL-082")),
    pytest.param(changed(b={**STRING, "enum": ["x", "y", "z"]}), id="wider enum",
                 marks=pytest.mark.req("DATA-337", "DECL-083")),
    pytest.param(changed(b=STRING), id="no enum", marks=pytest.mark.req("DATA-338", "DECL-084")),
    pytest.param(table(FIELDS, indexes=[["b", "a"]]), id="indexes", marks=pytest.mark.req("DATA-339", "DECL-085")),
    pytest.param(changed(a={**STRING, "required": True, "description": "new"}), id="description",
                 marks=pytest.mark.req("DATA-340", "DECL-087")),
    pytest.param(changed(b={**STRING, "enum": ["x", "y"], "unique": True}), id="unique without repeats",
                 marks=pytest.mark.req("DATA-341", "DECL-088")),
]  # fmt: skip


@pytest.mark.parametrize("declared", ALLOWED)
async def test_a_looser_declaration_is_taken_over(tmp_path: Path, keys: MemoryVault, declared: Any) -> None:
    assert await outcome(tmp_path, keys, BASE, declared) is None


REFUSED = [
    pytest.param(changed(b=None), id="field removed", marks=pytest.mark.req("DATA-343", "DECL-090")),
    pytest.param(changed(b=NUMBER), id="type", marks=pytest.mark.req("DATA-344", "DECL-091")),
    pytest.param({"collections": {**changed(r={"type": "ref", "to": "other"})["collections"],
                                  "other": {"kind": "table", "fields": {"a": STRING}}}},
                 id="target", marks=pytest.mark.req("DATA-345", "DECL-092")),
    pytest.param(changed(l={"type": "array", "items": "number"}), id="items",
                 marks=pytest.mark.req("DATA-346", "DECL-093")),
    pytest.param(changed(l={"type": "array"}), id="no items", marks=pytest.mark.req("DATA-346", "DECL-093")),
    pytest.param(changed(b={**STRING, "enum": ["x", "y"], "required": True}), id="required",
                 marks=pytest.mark.req("DATA-347", "DECL-094")),
    pytest.param(changed(b={**STRING, "enum": ["x"]}), id="narrower enum",
                 marks=pytest.mark.req("DATA-348", "DECL-095")),
    pytest.param(changed(a={**STRING, "required": True, "enum": ["1"]}), id="new enum",
                 marks=pytest.mark.req("DATA-349", "DECL-096")),
    pytest.param(changed(d={**STRING, "required": True}), id="new required field",
                 marks=pytest.mark.req("DATA-350", "DECL-097")),
    pytest.param({"collections": {"items": {"kind": "log", "fields": {"a": STRING}}}}, id="kind",
                 marks=pytest.mark.req("DATA-351", "DECL-099")),
]  # fmt: skip


@pytest.mark.parametrize("declared", REFUSED)
async def test_a_narrower_declaration_within_one_version_is_refused_and_the_old_one_still_opens(
    tmp_path: Path, keys: MemoryVault, declared: Any
) -> None:
    assert await outcome(tmp_path, keys, BASE, declared) is Code.DATA_SCHEMA
    async with opened(tmp_path, BASE, vault=keys) as store:
        assert await store.records.count(Query("items")) == 2


@pytest.mark.req("DATA-351", "DECL-099")
async def test_a_log_does_not_become_a_table_with_any_version(tmp_path: Path, keys: MemoryVault) -> None:
    log = {"collections": {"items": {"kind": "log", "fields": {"a": STRING}}}}
    later = table({"a": STRING}, version=2, migrations="m.js")
    assert await outcome(tmp_path, keys, log, later) is Code.DATA_SCHEMA


@pytest.mark.req("DATA-342", "DECL-089")
async def test_unique_over_values_that_repeat_is_refused(tmp_path: Path, keys: MemoryVault) -> None:
    declared = changed(a={**STRING, "required": True, "unique": True})
    assert await outcome(tmp_path, keys, BASE, declared) is Code.DATA_UNIQUE
    async with opened(tmp_path, BASE, vault=keys) as store:
        await store.records.insert(Insert("items", {"a": "1"}), GEM)


@pytest.mark.req("DATA-352", "DECL-025", "DECL-098")
async def test_a_version_never_goes_down(tmp_path: Path, keys: MemoryVault) -> None:
    second = table({"a": STRING}, version=2, migrations="m.js")
    assert await outcome(tmp_path, keys, second, table({"a": STRING})) is Code.DATA_SCHEMA


async def test_a_higher_version_is_never_taken_over_without_its_migration(tmp_path: Path, keys: MemoryVault) -> None:
    assert await outcome(tmp_path, keys, BASE, table(FIELDS, version=2, migrations="m.js")) is Code.DATA_SCHEMA


@pytest.mark.req("DATA-354", "DATA-356", "DECL-102", "DECL-103")
async def test_a_collection_that_is_gone_keeps_its_data_out_of_reach(tmp_path: Path, keys: MemoryVault) -> None:
    async with opened(tmp_path, BASE, vault=keys) as store:
        await store.records.insert(Insert("items", {"a": "1"}, "one"), GEM)
    async with opened(tmp_path, {}, vault=keys) as store:
        with pytest.raises(NotochordError) as caught:
            await store.records.get("items", "one")
        assert caught.value.code is Code.INPUT_INVALID
        assert [(one.name, one.declared, one.count) for one in (await store.overview()).collections] == [
            ("items", False, 1)
        ]
        assert [line async for line in store.records.export("items")]
    async with opened(tmp_path, BASE, vault=keys) as store:
        found = await store.records.get("items", "one")
        assert found is not None
        assert found.data == {"a": "1"}


@pytest.mark.req("DATA-357")
async def test_a_collection_that_comes_back_is_held_against_its_old_data(tmp_path: Path, keys: MemoryVault) -> None:
    assert await outcome(tmp_path, keys, BASE, {}, changed(b=NUMBER)) is Code.DATA_SCHEMA


@pytest.mark.req("DATA-358", "DATA-359", "DECL-077", "DECL-078")
async def test_each_activation_keeps_the_data_and_compares_it_with_the_declaration(
    tmp_path: Path, keys: MemoryVault
) -> None:
    data = DataService(vault=keys, clock=HandClock(), device="here")

    async def nothing(*_: object) -> None:
        raise AssertionError("no migration is needed")

    first = Source(OWNER, tmp_path, BASE, "1")
    await (await data.prepare(first, nothing, before=None)).commit()
    store = await data.store(first)
    await store.records.insert(Insert("items", {"a": "1"}, "one"), GEM)
    for stamp, declared in (("2", BASE), ("3", changed(d=NUMBER))):
        before = store.source
        await (await data.prepare(Source(OWNER, tmp_path, declared, stamp), nothing, before=before)).commit()
        store = await data.store(Source(OWNER, tmp_path, declared, stamp))
        assert await store.records.count(Query("items")) == 1
    await store.records.update(Update("items", "one", {"d": 1}), GEM)
    for declared, code in ((BASE, Code.DATA_SCHEMA), (changed(A=STRING), Code.PERM_INVALID)):
        with pytest.raises(NotochordError) as caught:
            await data.prepare(Source(OWNER, tmp_path, declared, "4"), nothing, before=store.source)
        assert caught.value.code is code
    await store.records.insert(Insert("items", {"a": "2"}), GEM)
    await data.close()


async def test_columns_are_added_and_retyped_while_the_store_is_open_and_row_numbers_are_never_given_twice(
    tmp_path: Path, keys: MemoryVault
) -> None:
    """What the tables of a project will need: an owner that is no gem, whose own program changes the records."""
    data = DataService(vault=keys, clock=HandClock(), device="here")
    owner = "project:p1"

    def version(number: int, fields: dict[str, Any]) -> Source:
        more = {"version": number, "migrations": "own.js"} if number > 1 else {}
        return Source(owner, tmp_path, table(fields, **more), str(number))

    async def retype(job: MigrationJob, batches: Batches) -> None:
        assert (job.collection, job.steps) == ("items", ("v1_to_v2",))
        while batch := await batches.next():
            results: list[tuple[str, Json]] = [
                (name, {"amount": float(json.loads(text)["amount"])}) for name, text in batch
            ]
            await batches.put(results)

    first, second = version(1, {"amount": STRING}), version(2, {"amount": NUMBER, "note": STRING})
    store = await data.store(first)
    for name in ("a", "b", "c"):
        await store.records.insert(Insert("items", {"amount": "1.5"}, name), GEM)
    await store.records.delete(Delete("items", "c"), GEM)
    await (await data.prepare(second, retype, before=first)).commit()
    store = await data.store(second)
    await store.records.insert(Insert("items", {"amount": 2.5, "note": "new"}, "d"), GEM)
    rows = await store.access.read(lambda c: c.execute("SELECT n, id, f_amount FROM rec_1 ORDER BY n").fetchall())
    assert rows == [(1, "a", 1.5), (2, "b", 1.5), (4, "d", 2.5)]
    told = await store.access.read(lambda c: c.execute("SELECT DISTINCT device FROM changes").fetchall())
    assert told == [("here",)]
    assert store.node_id("rec/items/d") == "project:p1/rec/items/d"
    await data.close()


async def test_a_call_of_the_older_version_does_not_open_the_store_of_the_newer_one(
    tmp_path: Path, keys: MemoryVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DataService(vault=keys, clock=HandClock(), device="here")
    first, second = Source(OWNER, tmp_path, BASE, "1"), Source(OWNER, tmp_path, changed(d=NUMBER), "2")
    await data.store(first)

    async def nothing(*_: object) -> None:
        raise AssertionError("no migration is needed")

    async def fail(*_: object) -> None:
        raise NotochordError(Code.DISK_IO, Fault.SYSTEM, "played")

    activation = await data.prepare(second, nothing, before=first)
    monkeypatch.setattr("notochord.services.data.activation.Prepared.commit", fail)
    await activation.commit()
    with pytest.raises(NotochordError) as caught:
        await data.store(first)
    assert caught.value.code is Code.DATA_CLOSED
    monkeypatch.undo()
    assert (await data.store(second)).source == second
    await data.close()


async def test_an_activation_that_is_abandoned_leaves_the_store_as_it_was(tmp_path: Path, keys: MemoryVault) -> None:
    data = DataService(vault=keys, clock=HandClock(), device="here")

    async def nothing(*_: object) -> None:
        raise AssertionError("no migration is needed")

    first = Source(OWNER, tmp_path, BASE, "1")
    store = await data.store(first)
    activation = await data.prepare(Source(OWNER, tmp_path, changed(d=NUMBER), "2"), nothing, before=first)
    await activation.abandon()
    assert await data.store(first) is store
    await store.records.insert(Insert("items", {"a": "1"}), GEM)
    with pytest.raises(NotochordError):
        await store.records.insert(Insert("items", {"a": "1", "d": 1}), GEM)
    await data.close()
    assert await outcome(tmp_path, keys, BASE) is None
