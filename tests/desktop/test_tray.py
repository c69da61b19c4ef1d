"""With a tray, and where that is chosen, closing the window keeps the program running; else it ends it."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from notochord.qt_adapters import tray
from notochord.qt_adapters.tray import TrayEntry
from notochord.ui.shell.shell import Shell
from notochord.viewmodels.shell.preferences import CLOSING, Closing
from support.desktops import Person, run_desktop
from support.organizations import organizations_in
from support.whole import opened


class HandTray(QObject):
    """A tray that is there, and tells what it was given."""

    pressed = Signal()
    changed = Signal()
    available = True
    made: ClassVar["list[HandTray]"] = []

    def __init__(self, _: QIcon, name: str) -> None:
        super().__init__()
        self.name = name
        self.entries: Sequence[TrayEntry] = ()
        self.on_gone: Callable[[], None] | None = None
        HandTray.made.append(self)

    def show(self) -> None: ...

    def close(self) -> None: ...

    def set_menu(self, entries: Sequence[TrayEntry]) -> None:
        self.entries = entries

    def watch(self, on_gone: Callable[[], None] | None) -> None:
        self.on_gone = on_gone


async def set_up(home: Path, closing: Closing) -> None:
    async with opened(home, name="Personal") as services:
        await services.settings.change(CLOSING, closing.value)
        identifier = services.unlocked.organization.id
    await organizations_in(home).finish_setup_step(identifier, 5)


@pytest.mark.parametrize("closing", list(Closing))
def test_closing_hides_the_window_only_where_that_is_chosen(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closing: Closing
) -> None:
    monkeypatch.setattr(tray, "Tray", HandTray)
    asyncio.run(set_up(tmp_path, closing))

    async def scenario(person: Person) -> None:
        await person.sees(Shell)
        await person.reads("Connect an AI model")
        window = person.stage.window
        assert window is not None
        window.close()
        if closing is Closing.QUIT:
            return
        assert not window.isVisible()
        HandTray.made[-1].pressed.emit()
        await person.until(window.isVisible, "the window again")
        texts = [entry.text for entry in HandTray.made[-1].entries]
        assert texts[:2] == ["Open Notochord", "New chat"]
        quit_entry = HandTray.made[-1].entries[-1]
        assert quit_entry.act is not None
        quit_entry.act()

    assert run_desktop(qapp, tmp_path, scenario) == 0
