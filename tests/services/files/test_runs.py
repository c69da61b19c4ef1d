"""Run folders: one for each run, tidied up when it ends."""

from collections.abc import AsyncIterator
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from support.clocks import HandClock
from support.file_services import Workshop, workshop_in


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Workshop]:
    async with workshop_in(tmp_path) as opened:
        yield opened


@pytest.mark.req("PERM-062", "PERM-064")
async def test_each_run_has_a_folder_of_its_own_named_after_it_and_the_time(shop: Workshop) -> None:
    made = [await shop.files.new_run_folder(shop.root, "monthly sum") for _ in range(3)]
    stem = "runs/monthly-sum-20261130-090000"
    assert made == [stem, f"{stem}-2", f"{stem}-3"]
    assert all((shop.folder / path).is_dir() for path in made)


async def test_the_time_is_that_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HandClock, "zone", lambda clock: timezone(timedelta(hours=8)))
    async with workshop_in(tmp_path) as shop:
        assert await shop.files.new_run_folder(shop.root, "x") == "runs/x-20261130-170000"


@pytest.mark.parametrize("name", ["../../x", "a/b", "con", ".hidden", "\n", "x" * 500, "报告"])
async def test_no_name_leads_out_of_runs(shop: Workshop, name: str) -> None:
    made = await shop.files.new_run_folder(shop.gem, name)
    assert (shop.folder / made).parent == shop.folder / "runs"


@pytest.mark.req("PERM-075", "PERM-071")
async def test_after_a_success_only_the_results_are_left(shop: Workshop) -> None:
    run = await shop.files.new_run_folder(shop.root, "x")
    shop.put(f"{run}/tmp/deep/scratch")
    shop.put(f"{run}/output/report.md")
    assert await shop.files.end_run_folder(shop.root, run, succeeded=True)
    assert [entry.name for entry in await shop.files.list(shop.root, run)] == ["output"]
    assert await shop.files.read(shop.root, f"{run}/output/report.md", max_bytes=9) == b"text"


@pytest.mark.req("PERM-076", "PERM-077")
async def test_after_a_failure_the_scratch_files_are_kept(shop: Workshop) -> None:
    run = await shop.files.new_run_folder(shop.root, "x")
    shop.put(f"{run}/tmp/scratch")
    assert await shop.files.end_run_folder(shop.root, run, succeeded=False)
    assert (shop.folder / run / "tmp/scratch").exists()


@pytest.mark.req("PERM-079")
@pytest.mark.parametrize("succeeded", [True, False])
async def test_a_run_folder_without_files_is_deleted(shop: Workshop, succeeded: bool) -> None:
    run = await shop.files.new_run_folder(shop.root, "x")
    (shop.folder / run / "output").mkdir()
    assert not await shop.files.end_run_folder(shop.root, run, succeeded=succeeded)
    assert list(shop.folder.iterdir()) == []


async def test_another_run_keeps_its_folder(shop: Workshop) -> None:
    first, second = [await shop.files.new_run_folder(shop.root, "x") for _ in range(2)]
    await shop.files.end_run_folder(shop.root, first, succeeded=True)
    assert (shop.folder / second).is_dir()
    assert not await shop.files.end_run_folder(shop.root, first, succeeded=True)
