"""What the tests of the store share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.stores import StoreBench, store_bench

__all__ = ["shop"]


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[StoreBench]:
    async with store_bench(tmp_path) as made:
        yield made
