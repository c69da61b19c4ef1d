"""Desktops on a virtual screen, with programs on them that are started as a user does."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from notochord.viewmodels.start.setup import Step
from support.organizations import organizations_in
from support.provider_threads import Provider, provider_in_thread
from support.screens import Screen
from support.shown_programs import ShownProgram
from support.whole import connect, opened

Start = Callable[[], ShownProgram]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    found = Screen(tmp_path / "desktop")
    try:
        found.open()
        yield found
    finally:
        found.close()


@pytest.fixture(scope="session")
def _serving() -> Iterator[Provider]:
    with provider_in_thread() as found:
        yield found


@pytest.fixture
def provider(_serving: Provider) -> Provider:
    """The provider of all tests, with nothing to say yet."""
    for heard in (_serving.script.turns, _serving.script.bodies, _serving.script.background):
        heard.clear()
    return _serving


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def start(screen: Screen, home: Path) -> Iterator[Start]:
    """Start the program on the screen; it is ended after the test, however it stands."""
    started: list[ShownProgram] = []

    def run() -> ShownProgram:
        started.append(ShownProgram(screen, home))
        return started[-1]

    yield run
    for program in started:
        program.close()


@pytest.fixture(scope="session")
def _set_up(_serving: Provider, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("set-up") / "home"

    async def make() -> None:
        async with opened(home) as services:
            await connect(services, _serving.server)
            identifier = services.unlocked.organization.id
        await organizations_in(home).finish_setup_step(identifier, Step.DONE)

    asyncio.run(make())
    return home


@pytest.fixture
def prepared(home: Path, provider: Provider, _set_up: Path) -> Path:
    """A home with an organization that is set up: not encrypted, its model at the provider of the tests."""
    shutil.copytree(_set_up, home)
    return home
