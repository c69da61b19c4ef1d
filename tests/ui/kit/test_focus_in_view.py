"""What gets the keyboard is scrolled to, unless the user goes by mouse."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QButtonGroup, QRadioButton
from pytestqt.qtbot import QtBot

from notochord.ui.kit.controls.scroll_page import ScrollPage
from notochord.ui.kit.kit import Kit


@pytest.fixture
def choices(kit: Kit, qtbot: QtBot) -> tuple[QRadioButton, QRadioButton]:
    """Two choices of a page, the second far below its edge."""
    page = ScrollPage(kit, "Choices")
    group = QButtonGroup(page)
    upper, lower = QRadioButton("Encrypt"), QRadioButton("Do not")
    for choice in (upper, lower):
        group.addButton(choice)
        page.column.addWidget(choice)
        page.column.addSpacing(400)
    qtbot.addWidget(page)
    page.resize(300, 200)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    upper.setChecked(True)
    upper.setFocus()
    return upper, lower


def test_a_choice_below_the_edge_comes_into_view_when_an_arrow_key_reaches_it(
    choices: tuple[QRadioButton, QRadioButton], qtbot: QtBot
) -> None:
    upper, lower = choices
    QTest.keyClick(upper, Qt.Key.Key_Down)
    qtbot.waitUntil(lower.hasFocus)
    assert not lower.visibleRegion().isEmpty()


def test_nothing_moves_while_the_user_goes_by_mouse(choices: tuple[QRadioButton, QRadioButton], qtbot: QtBot) -> None:
    _, lower = choices
    lower.window().setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange, False)
    lower.setFocus()
    qtbot.waitUntil(lower.hasFocus)
    assert lower.visibleRegion().isEmpty()
