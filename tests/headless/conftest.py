"""What the tests of the front end share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.paths import Home
from notochord.services.organizations.api import KeyPlace
from support.fakes.opener import FakeOpener
from support.fakes.organizations import FakeOrganizations
from support.front_bench import Bench
from support.programs import Program


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    organizations = FakeOrganizations(Home(tmp_path))
    await organizations.create("acme", KeyPlace.FILE)
    await organizations.make_current("acme")
    opener = FakeOpener(organizations)
    async with opener.open("acme") as services:
        yield Bench(tmp_path, organizations, opener, services)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The command line as a process, in a home with the organization acme."""
    made = Program(tmp_path / "home")
    (made.home / "organizations" / "acme").mkdir(parents=True, mode=0o700)
    (made.home / "current").write_text("acme")
    return made
