"""Killed at any system call, or refused any of them, a store keeps what was acknowledged and nothing by halves."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from notochord.services.data.api import Append, Insert, LogQuery, Query
from services.data.faulty_data import ROUNDS, newer, service, source
from support.data import GEM
from support.faults import HONEST, KILL, MOST_CALLS, Nursery, Run, nursery

CALLS = ("pwrite64", "write", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "mkdir")
SWEEPS = [
    *(("pwrite64", 97), ("fsync", 61), ("rename", 5)),
    *(pytest.param(call, 1, marks=pytest.mark.long) for call in CALLS),
]
ERRORS = [
    ("EIO", False),
    pytest.param("ENOSPC", False, marks=pytest.mark.long),
    pytest.param("ENOSPC", True, marks=pytest.mark.long),
]
"""Which error, and whether each later call fails as well."""

AFTERMATH = ("E_DATA_CONFLICT", "E_DATA_UNIQUE", "E_DATA_NOT_FOUND")


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery("services.data.faulty_data:write_everything") as opened:
        yield opened


@pytest.fixture
async def old_store(tmp_path: Path) -> Path:
    """A store in which some things were acknowledged long ago."""
    folder = tmp_path / "old"
    data = service()
    store = await data.store(source(folder))
    await store.records.insert(Insert("items", {"name": "old"}, "old"), GEM)
    await store.records.append(Append("seen", {"name": "old"}), GEM)
    await store.documents.create("old\n\nmore", GEM, identifier="d", title="")
    await store.blobs.put(b"old", GEM)
    await data.close()
    return folder


def runs(
    children: Nursery, tmp_path: Path, start: Path, call: str, fault: str, step: int, *, for_good: bool = False
) -> Iterator[tuple[Path, Run]]:
    """Put the fault on one such call after the other (each `step`-th of them), until none is left."""
    for number in range(1, MOST_CALLS, step):
        folder = tmp_path / f"{call}-{number}"
        shutil.copytree(start, folder)
        run = children.run(folder, call, fault, number, for_good=for_good)
        yield folder, run
        if not run.hit:
            assert run.said[-1] == "closed", run
            return
        shutil.rmtree(folder)
    raise AssertionError(f"more than {MOST_CALLS} calls of {call}")


async def check_survivor(folder: Path, run: Run) -> None:
    """Fail unless everything told is there, nothing is there by halves, and the store goes on."""
    told = {line.removeprefix("done ") for line in run.said if line.startswith("done")}
    data = service()
    store = await data.store(source(folder))
    try:
        assert await store.access.database.check() == ()
        items = {one.id for one in (await store.records.page(Query("items"))).items}
        assert "old" in items
        entries = {one.data["name"] for one in (await store.records.entries(LogQuery("seen"))).items}
        document = await store.documents.get("d")
        assert document is not None
        assert document.markdown in {"old\n\nmore", *(f"text {n}\n\nmore" for n in range(ROUNDS))}
        for n in range(ROUNDS):
            assert (f"left{n}" in items) is (f"right{n}" in items)
            assert f"insert {n}" not in told or f"i{n}" in items
            assert f"pair {n}" not in told or f"left{n}" in items
            assert f"append {n}" not in told or f"{n}" in entries
            digest = hashlib.sha256(f"blob {n}".encode() * 500).hexdigest()
            found = await store.blobs.get(digest)
            assert f"blob {n}" not in told or found is not None
            made = await store.documents.get(f"m{n}")
            assert f"made {n}" not in told or made is not None
            assert made is None or made.markdown == f"made {n}"
        last = max((n for n in range(ROUNDS) if f"doc {n}" in told), default=-1)
        assert last < 0 or document.markdown in {f"text {n}\n\nmore" for n in range(last, ROUNDS)}
        key = max((n for n in range(ROUNDS) if f"key {n}" in told), default=-1)
        assert key < 0 or int(await store.kv_get("key") or -1) >= key
        await store.records.insert(Insert("items", {"name": "after"}), GEM)
        await store.documents.update("d", "after", GEM)
    finally:
        await data.close()


@pytest.mark.req("DATA-282", "DATA-215")
@pytest.mark.parametrize(("call", "step"), SWEEPS)
async def test_a_store_killed_at_any_call_loses_nothing_that_it_told(
    children: Nursery, tmp_path: Path, old_store: Path, call: str, step: int
) -> None:
    for folder, run in runs(children, tmp_path, old_store, call, KILL, step):
        await check_survivor(folder, run)


@pytest.mark.parametrize(("error", "for_good"), ERRORS)
@pytest.mark.parametrize(("call", "step"), SWEEPS)
async def test_a_call_that_fails_is_told_and_loses_nothing(
    children: Nursery, tmp_path: Path, old_store: Path, call: str, error: str, for_good: bool, step: int
) -> None:
    for folder, run in runs(children, tmp_path, old_store, call, f"error={error}", step, for_good=for_good):
        failures = [line.removeprefix("failed ").split(":")[0] for line in run.said if line.startswith("failed")]
        assert all(code in (*HONEST, *AFTERMATH) for code in failures), run
        assert run.said[-1] == "closed", run
        await check_survivor(folder, run)


# -- a migration


@pytest.fixture(scope="module")
def migrating() -> Iterator[Nursery]:
    with nursery("services.data.faulty_data:change_over") as opened:
        yield opened


async def check_changed_over(folder: Path, run: Run) -> None:
    """Fail unless the data is that of the version which is the current one, whole."""
    current = newer(folder) if "prepared" in run.said else source(folder)
    data = service()
    store = await data.store(current)
    try:
        assert await store.access.database.check() == ()
        found = {one.id: (one.version, one.data) for one in (await store.records.page(Query("items"))).items}
        migrated = {"old": (2, {"name": "old", "n": 0})}
        assert found == (migrated if current.stamp == "2" else {"old": (1, {"name": "old"})})
        document = await store.documents.get("d")
        assert document is not None
        assert document.markdown == "old\n\nmore"
        assert len((await store.records.entries(LogQuery("seen"))).items) == 1
        assert not list(folder.glob("data.db.next-*")) + list(folder.glob("data.db.part-*"))
    finally:
        await data.close()


@pytest.mark.req("DATA-371")
@pytest.mark.parametrize(("call", "step"), SWEEPS)
async def test_a_migration_killed_at_any_call_leaves_the_data_of_the_current_version(
    migrating: Nursery, tmp_path: Path, old_store: Path, call: str, step: int
) -> None:
    for folder, run in runs(migrating, tmp_path, old_store, call, KILL, step):
        await check_changed_over(folder, run)


@pytest.mark.parametrize(("error", "for_good"), ERRORS)
@pytest.mark.parametrize(("call", "step"), SWEEPS)
async def test_a_migration_whose_call_fails_leaves_the_data_of_the_current_version(
    migrating: Nursery, tmp_path: Path, old_store: Path, call: str, error: str, for_good: bool, step: int
) -> None:
    for folder, run in runs(migrating, tmp_path, old_store, call, f"error={error}", step, for_good=for_good):
        assert run.said[-1] == "closed", run
        await check_changed_over(folder, run)
