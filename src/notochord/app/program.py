"""Carries out the commands that belong to the composition root: the desktop, the tour and the gallery."""

import asyncio
import os
import tempfile
from pathlib import Path

from notochord.app.compose import surround
from notochord.app.windows import Windows
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import Home, default_home
from notochord.headless.commands.tour import GALLERY, options_of, tour, tour_here
from notochord.headless.commands.tour import WORDS as TOUR
from notochord.headless.exchange import report, tell
from notochord.headless.front import run_to_end
from notochord.headless.holding import FAILED, carry_out, hold
from notochord.headless.parser import Parsed
from notochord.headless.terminal import Terminal
from notochord.headless.tour.run import TourOptions


def run_program(parsed: Parsed, terminal: Terminal, windows: Windows) -> int:
    """Carry out the desktop, the tour or the gallery; without a way to show windows, the desktop is the tour."""
    if parsed.command.words == GALLERY:
        return run_to_end(_gallery(parsed, terminal, windows), terminal)
    missing = windows.missing() if parsed.command.words != TOUR else None
    if parsed.command.words != TOUR and missing is None:
        home = Home(parsed.home or default_home(os.environ))
        return windows.desktop(home, parsed.organization, terminal.sentences.language)
    return run_to_end(_tour(parsed, terminal, missing), terminal)


async def _gallery(parsed: Parsed, terminal: Terminal, windows: Windows) -> int:
    async def render() -> None:
        missing = windows.missing(offscreen=True)
        if missing is not None:
            raise NotochordError(
                Code.INPUT_INVALID, Fault.SYSTEM, f"Qt lacks {missing[1]}", what=missing[1], why="why.qt_lacks"
            )
        folder, count = parsed.arguments.out, 0
        for picture in windows.gallery(folder):
            count += 1
            if terminal.json:
                await terminal.emit({"picture": str(picture)})
            await asyncio.sleep(0)  # so that Ctrl-C is heard between two pictures
        if not terminal.json:
            await tell(terminal, "gallery.done", count=count, folder=str(folder))

    return await carry_out(render, terminal)


async def _tour(parsed: Parsed, terminal: Terminal, missing: tuple[str, str] | None) -> int:
    if missing is not None:
        await _say_why(terminal, missing)
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


async def _say_why(terminal: Terminal, missing: tuple[str, str]) -> None:
    kind, name = missing
    reason = terminal.sentences.sentence(f"tour.no_window.{kind}", name=name)
    await tell(terminal, "tour.no_window", reason=reason)
