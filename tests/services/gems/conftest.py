"""What the tests of the gems service share."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from support.gems import PackageMaker, Platform, platform
from support.killed import Change

ROOT = Path(__file__).parents[3]

__all__ = ["change_and_die", "greeter", "notochord", "packages", "talk"]


@pytest.fixture
async def notochord(tmp_path: Path) -> AsyncIterator[Platform]:
    async with platform(tmp_path / "org") as made:
        yield made


@pytest.fixture
def packages(tmp_path: Path) -> PackageMaker:
    return PackageMaker(tmp_path / "packages")


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """The folder of a conversation."""
    folder = tmp_path / "talk"
    folder.mkdir()
    return folder


@pytest.fixture
async def greeter(notochord: Platform, packages: PackageMaker) -> Platform:
    """The service with one gem installed."""
    await notochord.service.install(packages.make())
    return notochord


@pytest.fixture(scope="module")
def change_and_die() -> Iterator[Change]:
    """Change what is installed in a process that is killed at a boundary; return how the process ended."""
    path = os.pathsep.join(str(ROOT / name) for name in ("src", "tests"))
    with subprocess.Popen(
        [sys.executable, str(ROOT / "tests/support/killed_installer.py")],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        orders, answers = process.stdin, process.stdout
        assert orders is not None
        assert answers is not None

        def change(home: Path, action: str, subject: str, end: str) -> int:
            orders.write(json.dumps([str(home), action, subject, end]) + "\n")
            orders.flush()
            return int(answers.readline())

        yield change
