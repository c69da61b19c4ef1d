"""What the tests of the gems service share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.gems import PackageMaker, Platform, platform
from support.memory_folders import tmp_path

__all__ = ["greeter", "notochord", "packages", "talk", "tmp_path"]


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
