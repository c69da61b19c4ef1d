"""The command line over fakes, as a program of its own: what tests start as a second process."""

import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from notochord.adapters.console import echo_off, forget_typed
from notochord.adapters.control.unix import UnixEndpoint
from notochord.core.clock import SystemClock
from notochord.core.paths import Home
from notochord.core.sentences import Sentences, language_of
from notochord.headless import front
from notochord.headless.catalogue import commands
from notochord.headless.parser import parse
from notochord.headless.services import Finding, Health, Surroundings
from notochord.headless.terminal import Terminal
from support.fakes.opener import FakeOpener
from support.fakes.organizations import FakeOrganizations
from support.workshops import made_packages, made_workshop


class SteadyProbe:
    def __init__(self, health: Health) -> None:
        self._health = health

    async def findings(self) -> Sequence[Finding]:
        return (Finding("Python", self._health, "doctor.python", {"version": "3.11"}),)


@asynccontextmanager
async def surround(home: Home) -> AsyncIterator[Surroundings]:
    organizations = FakeOrganizations(home, os.environ.get("FAKE_LANGUAGE", ""))
    yield Surroundings(
        home=home,
        organizations=organizations,
        opener=FakeOpener(organizations),
        endpoint=UnixEndpoint(os.environ, SystemClock()),
        probes=(SteadyProbe(Health(os.environ.get("FAKE_HEALTH", "good"))),),
        workshop=made_workshop,
        packages=made_packages,
        clock=SystemClock(),
    )


def main() -> int:
    sentences = Sentences.load(language_of(os.environ))
    words = tuple(sys.argv[1:])
    parsed = parse(words, commands(), sentences, Path.cwd())
    home = Home(parsed.home or Path(os.environ["NOTOCHORD_HOME"]))
    terminal = Terminal(
        given=sys.stdin,
        out=sys.stdout,
        messages=sys.stderr,
        echo_off=echo_off,
        forget_typed=forget_typed,
        sentences=sentences,
        json=parsed.json,
    )
    return front.run(front.Invocation(words, Path.cwd(), parsed), commands(), terminal, lambda: surround(home))


if __name__ == "__main__":
    sys.exit(main())
