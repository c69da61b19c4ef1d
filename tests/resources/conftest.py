"""Folders on the disk for these tests, as Deno gives what lies below /dev to nobody, and a place for gems in them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.services.gems.signatures import TrustedKeys
from support.file_services import Workshop, workshop_in
from support.gems import Platform, platform
from support.guests import real_sandbox
from support.memory_folders import on_disk

tmp_path = pytest.fixture(on_disk)


@pytest.fixture
async def workshop(tmp_path: Path) -> AsyncIterator[Workshop]:
    (tmp_path / "files").mkdir()
    async with workshop_in(tmp_path / "files") as made:
        yield made


@pytest.fixture
async def notochord(tmp_path: Path, workshop: Workshop) -> AsyncIterator[Platform]:
    async with (
        real_sandbox(tmp_path) as guests,
        platform(tmp_path / "org", keys=TrustedKeys(), guests=guests, files=workshop.files) as made,
    ):
        yield made
