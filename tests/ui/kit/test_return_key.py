"""Return on whatever is pressed: it does what the space bar does, also beside the default button of a sheet."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from notochord.ui.home.gem_tile import Tile
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.row_button import RowButton
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.sheet import Sheet
from notochord.ui.shell.entry import Entry

Act = Callable[[], None]
KINDS: dict[str, Callable[[Kit, Act], QWidget]] = {
    "button": lambda kit, act: Button(kit, "Go", act),
    "icon": lambda kit, act: IconButton(kit, "more", "Go", act),
    "row": lambda kit, act: RowButton(kit, "store", "Go", "there", act),
    "entry": lambda kit, act: Entry(kit, "home", "Go", act, column=48),
    "tile": lambda kit, act: Tile(kit, act),
}


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
@pytest.mark.parametrize("kind", KINDS)
def test_return_presses_what_has_the_focus(kit: Kit, qtbot: QtBot, kind: str, key: Qt.Key) -> None:
    pressed: list[str] = []
    control = KINDS[kind](kit, lambda: pressed.append(kind))
    qtbot.addWidget(control)
    control.show()
    QTest.keyClick(control, key)
    assert pressed == [kind]


def test_return_held_down_presses_once(kit: Kit, qtbot: QtBot) -> None:
    pressed: list[str] = []
    control = Button(kit, "Go", lambda: pressed.append("once"))
    qtbot.addWidget(control)
    for again in (False, True, True):
        event = QKeyEvent(
            QKeyEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", autorep=again
        )
        QApplication.sendEvent(control, event)
    assert pressed == ["once"]


def test_return_on_cancel_gives_up_a_sheet_and_does_not_submit_it(kit: Kit, qtbot: QtBot) -> None:
    done: list[str] = []
    sheet = Sheet(kit, "A name", accept_text="Create")
    sheet.accepted.connect(lambda: done.append("created"))
    sheet.rejected.connect(lambda: done.append("given up"))
    qtbot.addWidget(sheet)
    sheet.open()
    QTest.keyClick(sheet.cancel_button, Qt.Key.Key_Return)
    assert done == ["given up"]


def test_return_does_what_a_sheet_without_fields_offers(kit: Kit, qtbot: QtBot) -> None:
    done: list[str] = []
    sheet = Sheet(kit, "Switch to it now?", accept_text="Switch")
    sheet.accepted.connect(lambda: done.append("switched"))
    qtbot.addWidget(sheet)
    sheet.open()
    focused = sheet.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Return)
    assert done == ["switched"]
