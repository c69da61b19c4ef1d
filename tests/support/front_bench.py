"""A home with one open organization over fakes, and a way to give commands in it."""

import asyncio
from pathlib import Path

import pytest

from notochord.adapters.control.absent import AbsentEndpoint
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.paths import Home
from notochord.headless.catalogue import commands
from notochord.headless.command import HomeCommand, HomeContext, OpenCommand, OpenContext
from notochord.headless.parser import parse
from notochord.headless.services import Health, Services, Surroundings
from support.exchanges import KeptExchange
from support.fakes.opener import FakeOpener
from support.fakes.organizations import FakeOrganizations
from support.front_program import SteadyProbe
from support.workshops import made_packages, made_workshop


class Bench:
    """A home with the organization acme, open, and a way to give commands in it."""

    def __init__(self, folder: Path, organizations: FakeOrganizations, opener: FakeOpener, services: Services) -> None:
        self.folder = folder
        self.organizations = organizations
        self.opener = opener
        self.services = services
        self.changing = asyncio.Lock()
        self.surroundings = Surroundings(
            home=Home(folder),
            organizations=organizations,
            opener=opener,
            endpoint=AbsentEndpoint(),
            probes=(SteadyProbe(Health.GOOD),),
            workshop=made_workshop,
            packages=made_packages,
            clock=SystemClock(),
        )

    async def give(self, *words: str, to: KeptExchange, lasting: bool = False) -> KeptExchange:
        parsed = parse(words, commands(), to.sentences, self.folder)
        if isinstance(parsed.command, OpenCommand):
            context = OpenContext(to, self.services, lasting, self.changing)
            await parsed.command.run(context, parsed.arguments)
        elif isinstance(parsed.command, HomeCommand):
            await parsed.command.run(HomeContext(to, self.surroundings), parsed.arguments)
        return to


async def refused(bench: Bench, *words: str, to: KeptExchange) -> Code:
    with pytest.raises(NotochordError) as failure:
        await bench.give(*words, to=to)
    return failure.value.code
