"""The keyboard stays with buttons that take each other's places."""

import pytest
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.kept_focus import keyboard_kept
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.sheet import Sheet


class Row(QWidget):
    """Start, its Cancel, and a button for something else."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self.begin, self.cancel, self.other = Button(kit, "Begin"), Button(kit, "Cancel"), Button(kit, "Other")
        line = QHBoxLayout(self)
        for button in (self.begin, self.cancel, self.other):
            line.addWidget(button)
        self.cancel.hide()

    def work(self, runs: bool) -> None:
        with keyboard_kept(self.begin, self.cancel):
            self.cancel.setVisible(runs)
            self.begin.setVisible(not runs)


@pytest.fixture
def row(kit: Kit, qtbot: QtBot) -> Row:
    made = Row(kit)
    qtbot.addWidget(made)
    made.show()
    return made


def test_cancel_has_the_keyboard_while_work_goes_on_and_the_button_that_began_it_has_it_again(row: Row) -> None:
    row.begin.setFocus()
    row.work(True)
    assert row.focusWidget() is row.cancel
    row.work(False)
    assert row.focusWidget() is row.begin


def test_the_keyboard_is_not_taken_from_what_the_user_went_to_meanwhile(row: Row) -> None:
    row.begin.setFocus()
    row.work(True)
    row.other.setFocus()
    row.work(False)
    assert row.focusWidget() is row.other


def test_after_a_failure_the_button_of_a_sheet_can_be_pressed_again_at_once(kit: Kit, qtbot: QtBot) -> None:
    sheet = Sheet(kit, "A name", accept_text="Create")
    qtbot.addWidget(sheet)
    sheet.open()
    sheet.accept_button.setFocus()
    sheet.set_busy(True)
    assert sheet.focusWidget() is sheet.cancel_button
    sheet.failed(NotochordError(Code.TIMEOUT, Fault.NETWORK))
    assert sheet.focusWidget() is sheet.accept_button
