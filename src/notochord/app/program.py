"""Carries out the commands that belong to the composition root: the desktop and the tour."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from notochord.app.compose import surround
from notochord.core.paths import Home, default_home
from notochord.headless.commands.tour import WORDS as TOUR
from notochord.headless.commands.tour import options_of, tour, tour_here
from notochord.headless.exchange import tell
from notochord.headless.front import run_to_end
from notochord.headless.holding import carry_out, hold
from notochord.headless.parser import Parsed
from notochord.headless.terminal import Terminal


def run_program(parsed: Parsed, terminal: Terminal, missing: Callable[[], tuple[str, str] | None]) -> int:
    """Carry out the desktop or the tour. `missing` tells kind and name of what keeps windows from being shown."""
    return run_to_end(_run(parsed, terminal, missing))


async def _run(parsed: Parsed, terminal: Terminal, missing: Callable[[], tuple[str, str] | None]) -> int:
    if parsed.command.words != TOUR:
        await _say_why(terminal, missing())
    options = options_of(parsed.arguments)
    if options.model:
        async with surround(Home(parsed.home or default_home(os.environ))) as surroundings:
            organization = await surroundings.organizations.find(parsed.organization)
            async with hold(surroundings, organization.id, (), lasting=False) as held:
                return await carry_out(lambda: tour_here(held.services, terminal, options), terminal)
    with tempfile.TemporaryDirectory(prefix="notochord-tour-") as folder:
        async with surround(Home(Path(folder))) as surroundings:
            return await carry_out(lambda: tour(surroundings, terminal, options), terminal)


async def _say_why(terminal: Terminal, missing: tuple[str, str] | None) -> None:
    if missing is None:
        await tell(terminal, "tour.window_later")
        return
    kind, name = missing
    reason = terminal.sentences.sentence(f"tour.no_window.{kind}", name=name)
    await tell(terminal, "tour.no_window", reason=reason)
