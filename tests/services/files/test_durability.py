"""A kill or a full disk leaves the old content or the new, and a history that leads back."""

import asyncio
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from support.file_program import SIZE
from support.file_services import workshop_in

CAUSE = Cause(conversation="c", turn="t")


def run(folder: Path, work: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "support.file_program", str(folder), work]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


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
