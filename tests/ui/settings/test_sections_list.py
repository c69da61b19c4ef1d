"""The list of sections at the left of the settings: at every size of text, and with the keyboard in it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from notochord.ui.kit.kit import Kit
from notochord.ui.settings.page import SettingsPage
from notochord.ui.settings.scenes import SCENES


@pytest.fixture
def page(kit: Kit, qtbot: QtBot) -> Iterator[SettingsPage]:
    scene = next(scene for scene in SCENES if "page" in scene.name)
    window = scene.build(kit)
    qtbot.addWidget(window)
    window.resize(scene.width, scene.height)
    window.show()
    found = window if isinstance(window, SettingsPage) else window.findChild(SettingsPage)
    assert isinstance(found, SettingsPage)
    yield found
    kit.theme.set_text_size(100)


def cut(sections: QListWidget) -> list[str]:
    """Return the rows whose text is taller than the row, or wider than the list."""
    rows = [sections.item(at) for at in range(sections.count())]
    return [
        row.text()
        for row in rows
        if sections.visualItemRect(row).height() < QFontMetrics(row.font()).height() + 8
        or sections.viewport().width() < QFontMetrics(row.font()).horizontalAdvance(row.text())
    ]


def test_the_rows_grow_with_the_text_while_they_are_shown(kit: Kit, page: SettingsPage, qtbot: QtBot) -> None:
    before = page.list.item(0).font().pointSizeF()
    kit.theme.set_text_size(200)
    qtbot.waitUntil(lambda: page.list.item(0).font().pointSizeF() == pytest.approx(2 * before))
    qtbot.waitUntil(lambda: cut(page.list) == [])


def test_the_ring_of_the_keyboard_goes_around_the_whole_row(kit: Kit, page: SettingsPage, qtbot: QtBot) -> None:
    page.list.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(page.list, Qt.Key.Key_Down)
    row = page.list.visualItemRect(page.list.currentItem())
    qtbot.waitUntil(page.list.hasFocus)
    drawn = page.list.viewport().grab().toImage()
    edges = [drawn.pixelColor(row.left() + 1, row.center().y()), drawn.pixelColor(row.right() - 1, row.center().y())]
    assert edges == [QColor(kit.theme.colours.focus)] * 2


def test_whoever_comes_to_the_settings_has_the_keyboard_in_the_list_of_sections(
    page: SettingsPage, qtbot: QtBot
) -> None:
    qtbot.waitActive(page)
    page.setFocus()
    assert page.focusWidget() is page.list
    before = page._model.section.value
    QTest.keyClick(page.list, Qt.Key.Key_Down)
    assert page._model.section.value is not before
