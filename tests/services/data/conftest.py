"""What the tests of the data store share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.services.data.store import EncryptedStore
from support.clocks import HandClock
from support.data import opened, sample
from support.vaults import MemoryVault


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def keys() -> MemoryVault:
    return MemoryVault()


@pytest.fixture
async def store(tmp_path: Path, keys: MemoryVault, clock: HandClock) -> AsyncIterator[EncryptedStore]:
    """A store under the declaration of the page's example."""
    async with opened(tmp_path / "store", sample(), vault=keys, clock=clock) as made:
        yield made
