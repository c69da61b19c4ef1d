"""A file that is dragged out of another program's window and let go over the composer is attached."""

import asyncio
import contextlib
import sys
from pathlib import Path

import pytest

from desktop.conftest import Start
from support.drag_source import TITLE
from support.programs import ROOT
from support.provider_threads import Provider
from support.screens import Screen, wait
from support.shown_programs import ShownProgram
from support.whole import opened


@pytest.mark.req("PERM-086")
def test_a_file_dragged_from_another_program_into_the_composer_is_attached(
    screen: Screen, start: Start, prepared: Path, provider: Provider, tmp_path: Path
) -> None:
    file = tmp_path / "figures of March.csv"
    file.write_text("month,sum\nMarch,12\n")
    program = start()
    program.find("No gem is installed yet…")
    screen.key("ctrl+n")
    message = program.find("Message", "text")
    source = str(ROOT / "tests" / "support" / "drag_source.py")
    screen.start(sys.executable, source, str(file), QT_QPA_PLATFORM="xcb")
    wait(lambda: bool(screen.tell("xdotool", "search", "--onlyvisible", "--name", TITLE)), TITLE)
    drag_until_taken(screen, program, program.middle(message), file.name)
    screen.pointer("mousemove", *program.middle(program.find("Message", "text")), "click", "1")
    screen.type("What is in it")
    screen.key("Return")
    program.until(lambda: bool(provider.script.bodies), "the message at the provider")
    screen.key("ctrl+q")
    assert program.ends() == (0, "")
    folder, attached = asyncio.run(kept(prepared))
    assert len(attached) == 1
    assert (folder / attached[0]).read_text() == file.read_text()


async def kept(home: Path) -> tuple[Path, tuple[str, ...]]:
    async with opened(home) as services:
        (chat,) = await services.chats.all()
        return chat.folder, (await services.chats.entries(chat.id))[0].attachments


def drag_until_taken(screen: Screen, program: ShownProgram, end: tuple[str, str], name: str) -> None:
    """Drag, again if need be, as a hand does: a program that is busy while the pointer arrives takes nothing."""

    def taken() -> bool:
        return any(name in one.name for one in program.seen())

    for _ in range(2):
        drag(screen, ("60", "700"), end)
        with contextlib.suppress(AssertionError):
            return wait(taken, "the attachment", patience=20)
    drag(screen, ("60", "700"), end)
    return program.until(taken, "the attachment")


def drag(screen: Screen, start: tuple[str, str], end: tuple[str, str]) -> None:
    """Press, move in steps as a hand does, and let go."""
    steps = 12
    x, y = int(start[0]), int(start[1])
    screen.pointer("mousemove", *start, "mousedown", "1")
    for step in range(1, steps + 1):
        place = (x + (int(end[0]) - x) * step // steps, y + (int(end[1]) - y) * step // steps)
        screen.pointer("mousemove", *map(str, place), "sleep", "0.03")
    screen.pointer("mousemove_relative", "2", "1", "sleep", "0.2", "mouseup", "1")
