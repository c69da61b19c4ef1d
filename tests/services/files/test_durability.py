"""A kill or a full disk leaves the old content or the new, and a history that leads back."""

import asyncio
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from support.file_program import FAILED, SIZE
from support.file_services import workshop_in

CAUSE = Cause(conversation="c", turn="t")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def run(folder: Path, work: str, *under: str) -> subprocess.Popen[str]:
    command = [*under, sys.executable, "-m", "support.file_program", str(folder), work]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())


def killed(folder: Path, work: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "support.killed_files", str(folder), work]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment())


@pytest.mark.req("TOOL-052", "TOOL-053")
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 100))])
async def test_a_kill_at_any_moment_leaves_whole_files_and_a_way_back(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "conversation"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.txt").write_text(f"old {name}", encoding="utf-8")
    with run(tmp_path, "write") as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "0\n"
        await asyncio.sleep(random.Random(seed).uniform(0, 0.05))
        program.kill()
    async with workshop_in(tmp_path) as shop:
        content = (folder / "a.txt").read_bytes()
        assert content == content[:1] * SIZE
        reverted = await shop.journal.revert(CAUSE)
        assert reverted.skipped == ()
        left = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.suffix == ".txt"}
        assert left == {f"{name}.txt": f"old {name}" for name in "abc"}
        assert {entry.name for entry in await shop.files.list(shop.root)} == set(left)


@pytest.fixture
def memory() -> Iterator[Path]:
    """Give a folder in memory where there is one: a kill leaves the same there, and hundreds of kills are quick."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as folder:
        yield Path(folder) / "place"


@pytest.mark.req("TOOL-052", "TOOL-053")
@pytest.mark.parametrize(
    ("work", "least"),
    [
        ("write", 8),
        ("overwrite", 12),
        ("move", 25),
        ("delete", 20),
        ("revert", 50),
        pytest.param("move_between_disks", 30, marks=pytest.mark.long),
        pytest.param("move_without_links", 25, marks=pytest.mark.long),
    ],
)
async def test_a_kill_between_any_two_changes_of_the_disk_leaves_a_way_back(
    memory: Path, work: str, least: int
) -> None:
    make_afresh(memory)
    met = 0
    with killed(memory, work) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        while (said := program.stdout.readline()) != "end\n":
            met += 1
            assert said == f"{met}\n"
            await check_way_back(memory, f"killed before change {met}")
            make_afresh(memory)
            print(file=program.stdin, flush=True)
    assert met >= least


async def check_way_back(place: Path, when: str) -> None:
    """Start again, take everything back, and find each file as it was and nothing else."""
    async with workshop_in(place) as shop:
        reverted = await shop.journal.revert(CAUSE)
        assert reverted.skipped == (), when
        found = {
            str(path.relative_to(shop.folder)): path.read_text(encoding="utf-8") if path.is_file() else None
            for path in shop.folder.rglob("*")
        }
        assert found == FIRST, when


FIRST = {"a.txt": "old a", "b.txt": "old b", "sub": None, "sub/c.txt": "old c", "sub/in": None, "sub/in/d.txt": "old d"}


def make_afresh(place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
    for path, text in FIRST.items():
        if text is None:
            (place / "conversation" / path).mkdir(parents=True)
        else:
            (place / "conversation" / path).parent.mkdir(parents=True, exist_ok=True)
            (place / "conversation" / path).write_text(text, encoding="utf-8")


FAULTS = [
    ("renameat", "EIO", 1),
    ("write", "EDQUOT", 1),
    *(
        pytest.param(call, error, when, marks=pytest.mark.long)
        for call, error in [("write", "ENOSPC"), ("write", "EIO"), ("fsync", "EIO"), ("openat", "EMFILE")]
        for when in range(1, 6)
    ),
]


@pytest.mark.skipif(shutil.which("strace") is None, reason="faults are made by strace")
@pytest.mark.parametrize(("call", "error", "when"), FAULTS)
async def test_a_system_call_that_fails_leaves_the_old_content_or_the_new(
    tmp_path: Path, call: str, error: str, when: int
) -> None:
    async with workshop_in(tmp_path) as shop:
        shop.put("a.txt", "old")
    fault = (
        "strace",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        f"trace={call}",
        "-e",
        f"inject={call}:error={error}:when={when}",
    )
    with run(tmp_path, "once", *fault) as program:
        program.wait()
    async with workshop_in(tmp_path) as shop:
        if call == "renameat":
            assert (program.returncode, shop.text("a.txt")) == (FAILED, "old")
        if program.returncode == 0:
            assert shop.text("a.txt") == "new"
        assert shop.text("a.txt") in ("old", "new")
        assert (await shop.journal.revert(CAUSE)).skipped == ()
        assert shop.text("a.txt") == "old"
        assert [entry.name for entry in await shop.files.list(shop.root)] == ["a.txt"]


async def test_a_full_disk_is_named_and_leaves_everything_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "conversation"
    folder.mkdir()
    (folder / "a.txt").write_text("old", encoding="utf-8")
    with run(tmp_path, "fill") as program:
        assert program.stdout is not None
        said = program.stdout.read()
    assert said == "a.txt E_DISK_FULL\nlarge.txt E_DISK_FULL\n"
    assert (folder / "a.txt").read_text(encoding="utf-8") == "old"
    assert (folder / "large.txt").read_bytes().startswith(b"oldoldold")
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "large.txt"]
