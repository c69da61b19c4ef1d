"""Carries out the commands that belong to the composition root: the desktop and the tour."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from notochord.app.compose import surround
from notochord.core.errors import NotochordError
from notochord.core.paths import Home, default_home
from notochord.headless.commands.tour import WORDS as TOUR
from notochord.headless.commands.tour import options_of, tour, tour_here
from notochord.headless.exchange import report, tell
from notochord.headless.front import run_to_end
from notochord.headless.holding import FAILED, carry_out, hold
from notochord.headless.parser import Parsed
from notochord.headless.terminal import Terminal
from notochord.headless.tour.run import TourOptions


def run_program(parsed: Parsed, terminal: Terminal, missing: Callable[[], tuple[str, str] | None]) -> int:
    """Carry out the desktop or the tour. `missing` tells kind and name of what keeps windows from being shown."""
    return run_to_end(_run(parsed, terminal, missing), terminal)


async def _run(parsed: Parsed, terminal: Terminal, missing: Callable[[], tuple[str, str] | None]) -> int:
    if parsed.command.words != TOUR:
        await _say_why(terminal, missing())
    try:
        options = options_of(parsed.arguments)
    except NotochordError as error:
        await report(terminal, error)
        return FAILED
    if options.model:
        return await carry_out(lambda: _tour_here(parsed, terminal, options), terminal)
    with tempfile.TemporaryDirectory(prefix="notochord-tour-") as folder:
        async with surround(Home(Path(folder))) as surroundings:
            return await carry_out(lambda: tour(surroundings, terminal, options), terminal)


async def _tour_here(parsed: Parsed, terminal: Terminal, options: TourOptions) -> None:
    """Take the tour in the user's own organization. Raises NotochordError: ORG_OPEN while another process has it."""
    async with surround(Home(parsed.home or default_home(os.environ))) as surroundings:
        organization = await surroundings.organizations.find(parsed.organization)
        async with hold(surroundings, organization.id, (), lasting=False) as held:
            await tour_here(held.services, terminal, options)


async def _say_why(terminal: Terminal, missing: tuple[str, str] | None) -> None:
    if missing is None:
        await tell(terminal, "tour.window_later")
        return
    kind, name = missing
    reason = terminal.sentences.sentence(f"tour.no_window.{kind}", name=name)
    await tell(terminal, "tour.no_window", reason=reason)
