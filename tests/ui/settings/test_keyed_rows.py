"""Rows that come and go: where the keyboard is afterwards."""

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from notochord.core.observable import ObservableList
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.keyed_rows import KeyedRows


class Page(QWidget):
    """Rows that are buttons, between a button above and one below."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self.items: ObservableList[str] = ObservableList(["a", "b"])
        self.above, self.below = Button(kit, "Above"), Button(kit, "Below")
        self.rows: KeyedRows[str, Button] = KeyedRows(
            self.items, key=str, make=lambda item: Button(kit, item), show=lambda _view, _item: None, spacing=0
        )
        column = QVBoxLayout(self)
        for part in (self.above, self.rows, self.below):
            column.addWidget(part)


@pytest.fixture
def page(kit: Kit, qtbot: QtBot) -> Page:
    made = Page(kit)
    qtbot.addWidget(made)
    made.show()
    return made


def test_a_row_that_is_removed_leaves_the_keyboard_to_another_row_then_to_what_comes_after_them(page: Page) -> None:
    page.rows.views["b"].setFocus()
    page.items.reset(["a"])
    assert page.focusWidget() is page.rows.views["a"]
    page.items.reset([])
    assert page.focusWidget() is page.below


def test_the_keyboard_stays_where_it_is_when_another_row_is_removed(page: Page) -> None:
    page.above.setFocus()
    page.items.reset(["a"])
    assert page.focusWidget() is page.above
