"""Whenever the program is killed, the conversation opens whole and goes on (known faults B10 and B11)."""

import asyncio
import random
import signal
import time
from pathlib import Path

import pytest

from support.killed_talk import boundaries, check, child


def killed_at(folder: Path, boundary: int, turns: int) -> None:
    folder.mkdir()
    process = child(folder, turns=turns, kill_at=boundary)
    process.join()
    assert process.exitcode == -signal.SIGKILL
    process.close()
    asyncio.run(check(folder))


def killed_after(folder: Path, seconds: float, turns: int) -> None:
    folder.mkdir()
    process = child(folder, turns=turns)
    process.join(seconds)
    process.kill()
    process.join()
    process.close()
    if (folder / "main.db").exists():
        asyncio.run(check(folder))


def kill_at_random(folder: Path, times: int, turns: int) -> None:
    (folder / "whole").mkdir()
    began = time.monotonic()
    process = child(folder / "whole", turns=turns)
    process.join()
    process.close()
    lasts = time.monotonic() - began
    chance = random.Random(times)
    for number in range(times):
        killed_after(folder / f"random-{number}", chance.uniform(0, lasts), turns)


def test_killed_after_durable_writes_of_an_answer_the_conversation_opens_whole(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    for boundary in range(4, boundaries(tmp_path / "whole", turns=1) + 1, 8):
        killed_at(tmp_path / str(boundary), boundary, turns=1)


def test_killed_at_random_points_the_conversation_opens_whole(tmp_path: Path) -> None:
    kill_at_random(tmp_path, 10, turns=1)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_killed_before_and_after_every_durable_write_of_a_long_talk_it_opens_whole(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    for boundary in range(1, boundaries(tmp_path / "whole", turns=3) + 1):
        killed_at(tmp_path / str(boundary), boundary, turns=3)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_killed_at_two_hundred_random_points_the_conversation_opens_whole(tmp_path: Path) -> None:
    kill_at_random(tmp_path, 200, turns=3)
