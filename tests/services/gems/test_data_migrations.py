"""Migrations: an upgrade carries the data along in a guest that knows neither time nor chance, or changes nothing."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.data import migration
from notochord.services.data.api import Delete, Insert, OwnerStore, Query
from support.data import table
from support.gems import FILES, PackageMaker, Platform, manifest, platform
from support.guests import real_sandbox

GEM = Caller(Actor.GEM, "greeter", Cause("talk"))
TITLE = {"type": "string", "required": True}
ONE = table({"title": TITLE, "done": {"type": "boolean"}})
STATUS = {"type": "string", "enum": ["open", "done"]}
SAMPLE = """export function v1_to_v2(data, { id }) {
  return { title: data.title, status: data.done ? 'done' : 'open' }
}"""


def two(**more: Any) -> dict[str, Any]:
    return table({"title": TITLE, "status": {**STATUS}}, **{"version": 2, "migrations": "migrations/items.js", **more})


@pytest.fixture
async def guests(tmp_path: Path) -> AsyncIterator[Platform]:
    async with real_sandbox(tmp_path) as sandbox, platform(tmp_path / "org", guests=sandbox) as made:
        yield made


async def start(guests: Platform, packages: PackageMaker, declared: Json = ONE) -> OwnerStore:
    """Install version 1 with three records, one of them deleted."""
    await guests.service.install(packages.make(manifest(data=declared)))
    store = await guests.service.data("greeter")
    for name, done in (("a", True), ("b", False), ("c", True)):
        await store.records.insert(Insert("items", {"title": name, "done": done}, name), GEM)
    await store.records.delete(Delete("items", "c"), GEM)
    return store


async def upgrade(
    guests: Platform, packages: PackageMaker, source: str, declared: Json = None, *, file: str = "migrations/items.js"
) -> None:
    files = {**FILES, file: source}
    await guests.service.install(packages.make(manifest(version="2.0.0", data=declared or two()), files))


async def contents(guests: Platform) -> dict[str, dict[str, Json]]:
    store = await guests.service.data("greeter")
    return {one.id: one.data for one in (await store.records.page(Query("items"))).items}


@pytest.mark.req("DATA-363", "DATA-361", "DATA-362", "DATA-365")
async def test_the_sample_of_migrations_runs(guests: Platform, packages: PackageMaker) -> None:
    await start(guests, packages)
    await upgrade(guests, packages, SAMPLE)
    assert await contents(guests) == {
        "a": {"title": "a", "status": "done"}, "b": {"title": "b", "status": "open"},
    }  # fmt: skip


@pytest.mark.req("DATA-366", "DATA-367", "DATA-370", "DATA-005")
async def test_each_live_record_is_migrated_once_and_recorded(guests: Platform, packages: PackageMaker) -> None:
    await start(guests, packages)
    await upgrade(guests, packages, SAMPLE)
    store = await guests.service.data("greeter")
    told = (await store.overview(changes=3)).last_changes
    assert [(one.actor, one.name, one.subject, one.what) for one in told] == [
        ("system", "migration", "items/b", "changed"),
        ("system", "migration", "items/a", "changed"),
        ("gem", "greeter", "items/c", "deleted"),
    ]
    found = await store.records.get("items", "a")
    assert found is not None
    assert found.version == 2


@pytest.mark.req("DATA-364", "DATA-360", "DECL-037", "DATA-368")
async def test_steps_run_in_order_in_typescript_too(guests: Platform, packages: PackageMaker) -> None:
    await start(guests, packages)
    source = """type Old = { title: string };
    export function v1_to_v2(data: Old, { id }: { id: string }) { return { title: `${id}:${data.title}` } }
    export const v2_to_v3 = (data: Old) => ({ title: data.title + '!' });
    export function v3_to_v4() { throw new Error('is not run') }"""
    declared = two(version=3, migrations="migrations/items.ts")
    await upgrade(guests, packages, source, declared, file="migrations/items.ts")
    assert await contents(guests) == {"a": {"title": "a:a!"}, "b": {"title": "b:b!"}}


@pytest.mark.req("DATA-388", "DATA-389", "DATA-390", "DATA-479")
async def test_the_last_copy_from_before_stays_and_is_encrypted(guests: Platform, packages: PackageMaker) -> None:
    folder = guests.folder.gem_store("greeter")
    store = await start(guests, packages)
    await store.records.insert(Insert("items", {"title": "canary-before", "done": True}, "canary"), GEM)
    await upgrade(guests, packages, SAMPLE)
    (first,) = folder.glob("data.db.bak-*")
    source = "export const v2_to_v3 = (data) => data"
    declared = two(version=3)
    await guests.service.install(
        packages.make(manifest(version="3.0.0", data=declared), {**FILES, "migrations/items.js": source})
    )
    (second,) = folder.glob("data.db.bak-*")
    assert b"canary" not in second.read_bytes()
    assert first == second or not first.exists()
    assert sorted(path.name for path in folder.glob("data.db*") if "bak" not in path.name) == [
        "data.db", "data.db-shm", "data.db-wal",
    ]  # fmt: skip


async def check_failures(guests: Platform, packages: PackageMaker, failing: dict[str, str]) -> None:
    """Upgrade with each of these modules; each fails, says why, and leaves everything as it was."""
    await start(guests, packages)
    for source, said in failing.items():
        with pytest.raises(NotochordError) as caught:
            await upgrade(guests, packages, source)
        assert caught.value.code is Code.ACTIVATION_FAILED
        assert caught.value.detail.startswith("E_DATA_SCHEMA: "), caught.value.detail
        assert said in caught.value.detail
        assert (await guests.service.get("greeter")).version == "1.0.0"
        assert await contents(guests) == {"a": {"title": "a", "done": True}, "b": {"title": "b", "done": False}}
        assert not list(guests.folder.gem_store("greeter").glob("data.db.*"))


@pytest.mark.req("DATA-383", "DATA-384", "DATA-369", "PKG-054")
async def test_a_step_that_throws_or_gives_what_does_not_fit_leaves_the_old_version_with_its_data(
    guests: Platform, packages: PackageMaker
) -> None:
    failing = {
        "export function v1_to_v2() { throw new Error('mine') }": "v1_to_v2 of record a threw: mine",
        "export const v1_to_v2 = () => ({ title: 5 })": "items.title must be a string",
        "export const v1_to_v2 = () => [1]": "plain object",
        "export const v1_to_v2 = async (data) => data": "plain object",
        "export const v1_to_v2 = () => new Map()": "plain object",
    }
    await check_failures(guests, packages, failing)


@pytest.mark.req("DATA-385", "DATA-379")
async def test_a_step_that_is_missing_fails_the_upgrade(guests: Platform, packages: PackageMaker) -> None:
    failing = {
        "export const v2_to_v3 = (data) => data": "the function v1_to_v2 is missing",
        "export const v1_to_v2 = 5": "the function v1_to_v2 is missing",
        "export function v1_to_v2(": "Unexpected",
    }
    await check_failures(guests, packages, failing)


@pytest.mark.req("DATA-372", "DATA-373", "DATA-374", "DATA-375")
async def test_a_step_has_neither_time_nor_chance_nor_anything_outside(
    guests: Platform, packages: PackageMaker
) -> None:
    hidden = "new data.constructor.constructor('return Date')()()"
    failing = {
        "export const v1_to_v2 = (data) => ({ title: String(Date.now()) })": "Date.now",
        "export const v1_to_v2 = (data) => ({ title: new Date().toISOString() })": "present time",
        "export const v1_to_v2 = (data) => ({ title: Date() })": "present time",
        f"export const v1_to_v2 = (data) => ({{ title: String({hidden}) }})": "present time",
        "export const v1_to_v2 = (data) => ({ title: new (new Date(0).constructor)().toString() })": "present time",
        "export const v1_to_v2 = (data) => ({ title: String(Math.random()) })": "Math.random",
        "export const v1_to_v2 = (data) => ({ title: Temporal.Now.instant().toString() })": "Temporal",
        "export const v1_to_v2 = (data) => ({ title: ctx.data })": "ctx is not defined",
        "import './other.js'; export const v1_to_v2 = (data) => data": "imports nothing",
        "import os from 'node:os'; export const v1_to_v2 = (data) => data": "imports nothing",
        "export const v1_to_v2 = (data) => { Deno.exit(0) }": "Deno is not defined",
        "const os = await import('node:os'); export const v1_to_v2 = (data) => data": "import",
    }
    await check_failures(guests, packages, failing)


@pytest.mark.req("DATA-387", "DATA-519", "DATA-521", "DECL-105")
async def test_a_change_that_needs_a_version_fails_the_upgrade_with_its_cause(
    guests: Platform, packages: PackageMaker
) -> None:
    await start(guests, packages)
    with pytest.raises(NotochordError) as caught:
        await guests.service.install(packages.make(manifest(version="2.0.0", data=table({"title": TITLE}))))
    assert caught.value.code is Code.ACTIVATION_FAILED
    assert "E_DATA_SCHEMA" in str(caught.value)
    assert (await guests.service.get("greeter")).version == "1.0.0"
    assert len(await contents(guests)) == 2


@pytest.mark.req("PKG-056", "DECL-099")
@pytest.mark.parametrize(
    "declared",
    [
        {"collections": {"items": {"kind": "log", "fields": {"title": TITLE, "done": {"type": "boolean"}}}}},
        table({"title": {"type": "integer"}, "done": {"type": "boolean"}}),
        table({"title": TITLE, "done": {"type": "boolean", "required": True}}),
        table({"title": {**TITLE, "enum": ["a"]}, "done": {"type": "boolean"}}),
    ],
    ids=["kind", "type", "required", "enum"],
)
async def test_a_change_against_the_rules_takes_the_whole_upgrade_back(
    guests: Platform, packages: PackageMaker, declared: Json
) -> None:
    await start(guests, packages)
    with pytest.raises(NotochordError) as caught:
        await guests.service.install(packages.make(manifest(version="2.0.0", data=declared)))
    assert caught.value.code is Code.ACTIVATION_FAILED
    assert (await guests.service.get("greeter")).version == "1.0.0"
    assert await contents(guests) == {"a": {"title": "a", "done": True}, "b": {"title": "b", "done": False}}


@pytest.mark.req("DATA-386")
async def test_a_migration_that_takes_longer_than_it_may_takes_the_whole_upgrade_back(
    guests: Platform, packages: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start(guests, packages)
    monkeypatch.setattr(migration, "BATCH_SECONDS", 0.0)
    with pytest.raises(NotochordError, match="takes too long") as caught:
        await upgrade(guests, packages, SAMPLE)
    assert caught.value.code is Code.ACTIVATION_FAILED
    assert (await guests.service.get("greeter")).version == "1.0.0"
    assert await contents(guests) == {"a": {"title": "a", "done": True}, "b": {"title": "b", "done": False}}
    monkeypatch.undo()
    await upgrade(guests, packages, SAMPLE)
    assert (await guests.service.get("greeter")).version == "2.0.0"


@pytest.mark.req("DATA-342", "DECL-089", "DATA-520")
async def test_a_reinstallation_whose_data_does_not_fit_fails_with_its_cause(
    guests: Platform, packages: PackageMaker
) -> None:
    store = await start(guests, packages)
    await store.records.insert(Insert("items", {"title": "a"}, "again"), GEM)
    declared = table({"title": {**TITLE, "unique": True}, "done": {"type": "boolean"}})
    with pytest.raises(NotochordError) as caught:
        await guests.service.install(packages.make(manifest(data=declared)))
    assert caught.value.code is Code.ACTIVATION_FAILED
    assert caught.value.detail.startswith("E_DATA_UNIQUE: ")
    assert len(await contents(guests)) == 3


async def test_unique_values_that_a_migration_makes_equal_fail_it(guests: Platform, packages: PackageMaker) -> None:
    await start(guests, packages)
    declared = two()
    declared["collections"]["items"]["fields"]["status"]["unique"] = True
    with pytest.raises(NotochordError, match="E_DATA_UNIQUE"):
        await upgrade(guests, packages, "export const v1_to_v2 = (data) => ({ title: 'x', status: 'open' })", declared)
    assert len(await contents(guests)) == 2


async def test_unique_values_may_change_places(guests: Platform, packages: PackageMaker) -> None:
    unique = {"title": {**TITLE, "unique": True}, "done": {"type": "boolean"}}
    await start(guests, packages, table(unique))
    source = "export const v1_to_v2 = (data) => ({ title: data.title === 'a' ? 'b' : 'a' })"
    await upgrade(guests, packages, source, table(unique, version=2, migrations="migrations/items.js"))
    assert await contents(guests) == {"a": {"title": "b"}, "b": {"title": "a"}}


@pytest.mark.req("DATA-380", "PKG-053", "APP-034")
async def test_more_records_than_a_batch_holds_are_all_migrated(guests: Platform, packages: PackageMaker) -> None:
    await guests.service.install(packages.make(manifest(data=ONE)))
    store = await guests.service.data("greeter")
    for first in (0, 400, 800):
        writes = [Insert("items", {"title": "x"}, f"r{n}") for n in range(first, first + 400)]
        await store.records.transact((), writes, GEM)
    await upgrade(guests, packages, SAMPLE)
    store = await guests.service.data("greeter")
    assert await store.records.count(Query("items")) == 1_200
    page = await store.records.page(Query("items", limit=1000))
    assert all(one.version == 2 and one.data["status"] == "open" for one in page.items)


@pytest.mark.req("DATA-522")
async def test_a_first_installation_is_refused_with_the_error_itself(guests: Platform, packages: PackageMaker) -> None:
    with pytest.raises(NotochordError) as caught:
        await guests.service.install(packages.make(manifest(data=table({"A": TITLE}))))
    assert caught.value.code is Code.PERM_INVALID


async def test_a_gem_may_begin_with_a_higher_version(guests: Platform, packages: PackageMaker) -> None:
    await upgrade(guests, packages, "export const nothing = 1")
    assert await contents(guests) == {}
