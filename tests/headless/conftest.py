"""What the tests of the front end share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.paths import Home
from notochord.services.organizations.api import KeyPlace
from support.fakes.opener import FakeOpener
from support.fakes.organizations import FakeOrganizations
from support.front_bench import Bench


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    organizations = FakeOrganizations(Home(tmp_path))
    await organizations.create("acme", KeyPlace.FILE)
    await organizations.make_current("acme")
    opener = FakeOpener(organizations)
    async with opener.open("acme") as services:
        yield Bench(tmp_path, organizations, opener, services)
