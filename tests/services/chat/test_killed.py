"""Whenever the program is killed, the conversation opens whole and goes on (known faults B10 and B11)."""

import asyncio
import random
import signal
import time
from pathlib import Path

import pytest

from notochord.services.models.api import ProviderKind
from support.killed_talk import Children, boundaries, check

KINDS = (ProviderKind.COMPATIBLE, ProviderKind.ANTHROPIC)


def folder_in(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder


def kill_at_boundaries(parent: Path, turns: int, first: int, step: int) -> None:
    last = boundaries(folder_in(parent, "whole"), turns=turns)
    with Children() as children:
        for number, boundary in enumerate(range(first, last + 1, step)):
            folder = folder_in(parent, str(boundary))
            assert children.run(folder, turns=turns, kill_at=boundary) == signal.SIGKILL
            asyncio.run(check(folder, KINDS[number % 2]))


def kill_at_random(parent: Path, turns: int, times: int) -> None:
    chance = random.Random(times)
    with Children() as children:
        began = time.monotonic()
        assert children.run(folder_in(parent, "whole"), turns=turns) == 0
        lasts = time.monotonic() - began
        for number in range(times):
            folder = folder_in(parent, str(number))
            children.run(folder, turns=turns, kill_after=chance.uniform(0, lasts))
            if (folder / "main.db").exists():
                asyncio.run(check(folder, KINDS[number % 2]))


def test_killed_after_durable_writes_of_an_answer_the_conversation_opens_whole(tmp_path: Path) -> None:
    kill_at_boundaries(tmp_path, turns=1, first=4, step=14)


def test_killed_at_random_points_the_conversation_opens_whole(tmp_path: Path) -> None:
    kill_at_random(tmp_path, turns=1, times=4)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_killed_before_and_after_every_durable_write_of_a_long_talk_it_opens_whole(tmp_path: Path) -> None:
    kill_at_boundaries(tmp_path, turns=3, first=1, step=1)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_killed_at_two_hundred_random_points_the_conversation_opens_whole(tmp_path: Path) -> None:
    kill_at_random(tmp_path, turns=3, times=200)
