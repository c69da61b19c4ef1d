"""A page that leads the keyboard to its field still lets Tab stop at what stands before the field."""

from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from notochord.ui.kit.controls.lead import Lead


def test_the_keyboard_goes_to_the_field_and_tab_stops_before_it(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    outside, page = QPushButton("outside"), Lead()
    before, field = QPushButton("before"), QLineEdit()
    outer, inner = QVBoxLayout(window), QVBoxLayout(page)
    outer.addWidget(outside)
    outer.addWidget(page)
    inner.addWidget(before)
    inner.addWidget(field)
    page.lead_to(field)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    page.setFocus()
    assert QApplication.focusWidget() is field
    passed = []
    for _ in range(3):
        window.focusNextPrevChild(True)
        passed.append(QApplication.focusWidget())
    assert passed == [outside, before, field]


def test_what_comes_later_gets_the_keyboard_that_waited_for_it(qtbot: QtBot) -> None:
    page = Lead()
    qtbot.addWidget(page)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.setFocus()
    field = QLineEdit(page)
    field.show()
    page.lead_to(field)
    assert QApplication.focusWidget() is field
