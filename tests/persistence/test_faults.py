"""Killed at any system call, or refused any of them, a database keeps what was acknowledged and nothing by halves."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from notochord.persistence.database import Database
from notochord.persistence.migrations import Component
from persistence.faulty_work import NEW, OLD, add_pair
from support.databases import KEY, database_in
from support.faults import HONEST, KILL, MOST_CALLS, Nursery, Run, nursery

CALLS = ("pwrite64", "write", "fsync", "fdatasync", "ftruncate", "rename", "unlink")
EACH, SOME = 1, 23
SWEEPS = [
    *((call, SOME) for call in ("pwrite64", "fsync", "rename")),
    *(pytest.param(call, EACH, marks=pytest.mark.long) for call in CALLS),
]


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery("persistence.faulty_work:upgrade_and_write") as opened:
        yield opened


@pytest.fixture
async def old_database(tmp_path: Path) -> Path:
    """A database of the older version, with a pair that was acknowledged long ago."""
    folder = tmp_path / "old"
    folder.mkdir()
    async with database_in(folder, OLD) as database:
        await database.write(lambda connection: add_pair(connection, 0))
    return folder


def runs(
    children: Nursery, tmp_path: Path, start: Path | None, call: str, fault: str, step: int
) -> Iterator[tuple[Path, Run]]:
    """Put the fault on one such call after the other (each `step`-th of them), until none is left."""
    for number in range(1, MOST_CALLS, step):
        folder = tmp_path / f"{call}-{number}"
        if start is None:
            folder.mkdir()
        else:
            shutil.copytree(start, folder)
        run = children.run(folder, call, fault, number)
        yield folder, run
        if not run.hit:
            assert run.said[-1] == "closed", run
            return
        shutil.rmtree(folder)
    raise AssertionError(f"more than {MOST_CALLS} calls of {call}")


def pairs(connection: Connection) -> list[int]:
    rows = connection.execute(text("SELECT n, count(*) AS halves FROM pairs GROUP BY n ORDER BY n")).all()
    assert all(row.halves == 2 for row in rows), "half of a pair"
    return [row.n for row in rows]


async def found_in(path: Path, component: Component) -> list[int]:
    database = await Database.open(path, KEY, (component,))
    try:
        assert await database.check() == ()
        return await database.read(pairs)
    finally:
        await database.close()


async def check_survivor(folder: Path, run: Run, before: list[int]) -> None:
    written = [int(line.removeprefix("written ")) for line in run.said if line.startswith("written")]
    backup = folder / "main.db.bak"
    if backup.exists():
        assert await found_in(backup, OLD) == before
    found = await found_in(folder / "main.db", NEW)
    # A pair whose acknowledgement was under way may be there; one that was told must be.
    assert found[: len(before) + len(written)] == [*before, *written]
    assert len(found) <= len(before) + len(written) + 1


@pytest.mark.parametrize(("call", "step"), SWEEPS)
async def test_a_new_database_killed_at_any_call_is_whole(
    children: Nursery, tmp_path: Path, call: str, step: int
) -> None:
    for folder, run in runs(children, tmp_path, None, call, KILL, step):
        await check_survivor(folder, run, [])


@pytest.mark.parametrize(("call", "step"), SWEEPS)
async def test_an_upgrade_killed_at_any_call_leaves_the_old_data_whole(
    children: Nursery, tmp_path: Path, old_database: Path, call: str, step: int
) -> None:
    for folder, run in runs(children, tmp_path, old_database, call, KILL, step):
        await check_survivor(folder, run, [0])


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
@pytest.mark.parametrize(("call", "step"), SWEEPS)
async def test_a_call_that_fails_is_told_and_loses_nothing(
    children: Nursery, tmp_path: Path, old_database: Path, call: str, error: str, fresh: bool, step: int
) -> None:
    start, before = (None, []) if fresh else (old_database, [0])
    for folder, run in runs(children, tmp_path, start, call, f"error={error}", step):
        failures = [line for line in run.said if line.startswith("failed")]
        assert all(line.removeprefix("failed ").split(":")[0] in HONEST for line in failures), failures
        assert run.said[-1] == "closed", run
        await check_survivor(folder, run, before)
