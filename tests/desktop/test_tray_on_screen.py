"""The icon in a tray: the program stays there when its window is closed, and comes back from there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.conftest import Start
from support.screens import Screen, wait
from support.shown_programs import ShownProgram
from support.tray_hosts import TrayHost, TrayIcon


@pytest.fixture
def tray(screen: Screen) -> Iterator[TrayHost]:
    host = TrayHost(screen.environment["DBUS_SESSION_BUS_ADDRESS"])
    yield host
    host.close()


def close_window(screen: Screen, program: ShownProgram) -> None:
    screen.key("ctrl+w")
    program.until(lambda: not program.is_shown, "the window to go")


def until_offered(icon: TrayIcon) -> None:
    """Wait for the menu: a program tells of its icon first."""
    offered = ["Open Notochord", "New chat", "Quit Notochord"]
    wait(lambda: [entry.text for entry in icon.menu()] == offered, f"a menu of {offered}")


def test_a_closed_window_leaves_its_icon_and_comes_back_by_it_or_by_a_second_start(
    screen: Screen, tray: TrayHost, start: Start, prepared: Path
) -> None:
    program = start()
    program.find("No gem is installed yet…")
    icon = tray.icon()
    assert (icon.title, icon.has_picture) == ("Notochord", True)
    close_window(screen, program)
    assert program.start_again() == 0
    program.until(lambda: program.is_shown, "the window after a second start")
    close_window(screen, program)
    icon.press()
    program.until(lambda: program.is_shown, "the window after a click on the icon")
    close_window(screen, program)
    until_offered(icon)
    icon.choose("New chat")
    program.find("Message", "text")
    assert program.is_shown
    icon.choose("Quit Notochord")
    assert program.ends() == (0, "")


def test_a_tray_that_comes_after_the_program_gets_its_icon(screen: Screen, start: Start, prepared: Path) -> None:
    program = start()
    program.find("No gem is installed yet…")
    host = TrayHost(screen.environment["DBUS_SESSION_BUS_ADDRESS"])
    try:
        until_offered(host.icon())
    finally:
        host.close()


def test_without_a_tray_closing_the_window_ends_the_program(screen: Screen, start: Start, prepared: Path) -> None:
    program = start()
    program.find("No gem is installed yet…")
    screen.key("ctrl+w")
    assert program.ends() == (0, "")
