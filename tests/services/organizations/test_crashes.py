"""Killed at any system call, or refused any of them, organizations are whole or gone after the next start."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from notochord.core.paths import Home
from notochord.services.organizations.api import KeyPlace
from notochord.services.vault.key_file import KeyFiles
from support.faults import KILL, MOST_CALLS, Nursery, Run, nursery
from support.organizations import organizations_in

EACH, SOME = 1, 13
SWEEPS = [
    *((call, fault, SOME) for call in ("write", "fsync", "rename", "unlink") for fault in (KILL, "error=EIO")),
    *(
        pytest.param(call, fault, EACH, marks=pytest.mark.long)
        for call in ("pwrite64", "write", "fsync", "rename", "unlink", "rmdir", "mkdir", "ftruncate")
        for fault in (KILL, "error=EIO", "error=ENOSPC")
    ),
]


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery("services.organizations.faulty_work:create_and_delete") as opened:
        yield opened


@pytest.fixture
async def home(tmp_path: Path) -> Path:
    organizations = organizations_in(tmp_path / "home")
    for name in ("Current", "Old"):
        await organizations.create(name, KeyPlace.FILE)
    return tmp_path / "home"


async def check_survivors(folder: Path, run: Run) -> None:
    organizations = organizations_in(folder)
    await organizations.start()
    listed = await organizations.all()
    names = [one.name for one in listed]
    assert "Current" in names
    assert "New" in names or "created" not in run.said
    assert "Old" not in names or "deleted" not in run.said
    assert "Old" in names or "deleting" in run.said
    assert len(await asyncio.to_thread(lambda: list((folder / "organizations").iterdir()))) == len(listed)
    for one in listed:
        if one.name == "Old" and await KeyFiles(lambda name: Home(folder).organization(name).key).load(one.id) is None:
            assert "deleting" in run.said  # it begins with the key; whoever stopped it there deletes it again
            await organizations.delete(one.id, "Old")
        else:
            await organizations.release(await organizations.unlock(one.id))


@pytest.mark.parametrize(("call", "fault", "step"), SWEEPS)
async def test_an_organization_is_whole_or_gone_whatever_stops_its_making_or_deleting(
    children: Nursery, home: Path, tmp_path: Path, call: str, fault: str, step: int
) -> None:
    for number in range(1, MOST_CALLS, step):
        folder = tmp_path / str(number)
        shutil.copytree(home, folder)
        run = children.run(folder, call, fault, number)
        assert run.killed or run.said[-1] == "closed", run
        await check_survivors(folder, run)
        if not run.hit:
            return
    raise AssertionError(f"more than {MOST_CALLS} calls of {call}")
