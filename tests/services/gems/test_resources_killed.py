"""A download that is killed, or whose disk fails, leaves the whole file or none, and is begun anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notochord.services.gems.resource_files import ResourceFiles
from support.faults import KILL, MOST_CALLS, Nursery, nursery
from support.killed_resources import record
from support.shelves import CONTENT


@pytest.fixture(scope="module")
def storing() -> Iterator[Nursery]:
    with nursery("support.killed_resources:store") as opened:
        yield opened


@pytest.fixture(scope="module")
def downloading() -> Iterator[Nursery]:
    with nursery("support.killed_resources:download") as opened:
        yield opened


@pytest.mark.parametrize("call", ["mkdir", "write", "fsync", "chmod", "rename"])
def test_a_kill_at_any_moment_leaves_the_whole_file_or_none(storing: Nursery, tmp_path: Path, call: str) -> None:
    for number in range(1, MOST_CALLS):
        store = tmp_path / str(number)
        run = storing.run(store, call, KILL, number)
        files = ResourceFiles(store)
        if (found := files.find(record(), None)) is not None:
            assert files.path(record()).read_bytes() == CONTENT
        elif (store / "downloads").exists() and call not in ("mkdir",):
            assert files.wanted() == {record().sha256}
        assert found is None or run.killed or run.said == ("kept",)
        with files.begin(record()) as again:
            again.write(CONTENT)
            assert files.keep(record(), again) is not None
        if not run.hit:
            return
    raise AssertionError("the work never ended")


@pytest.mark.req("RES-037")
def test_a_full_disk_is_told_and_the_next_attempt_succeeds(downloading: Nursery, tmp_path: Path) -> None:
    run = downloading.run(tmp_path, "write", "error=ENOSPC", 1)
    assert run.hit
    assert run.said == ("E_DISK_FULL", "True")


def test_a_disk_that_cannot_keep_the_file_is_told_and_leaves_nothing_half(downloading: Nursery, tmp_path: Path) -> None:
    run = downloading.run(tmp_path, "fsync", "error=EIO", 1, for_good=True)
    assert run.hit
    assert run.said == ("E_DISK_IO", "E_DISK_IO")
    assert ResourceFiles(tmp_path / "g").find(record(), None) is None
