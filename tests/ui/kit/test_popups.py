"""Popups have round corners where what is behind them is seen, and square ones where it would be black."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from notochord.ui.kit.kit import Kit
from notochord.ui.kit.theme.style import NotochordStyle

NEAR = 40
"""The corner of a drawn frame is mixed with its ground."""


@pytest.mark.parametrize(("blends", "alpha"), [(True, 0), (False, 255)])
def test_the_corner_of_a_menu_is_never_black(kit: Kit, qtbot: QtBot, blends: bool, alpha: int) -> None:
    style = NotochordStyle(kit.theme.tokens, kit.theme.colours, lambda: blends)
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("Rename")
    menu.setStyle(style)
    menu.resize(menu.sizeHint())
    menu.ensurePolished()
    corner = menu.grab().toImage().pixelColor(0, 0)
    assert corner.alpha() == alpha
    if not blends:
        assert abs(corner.lightness() - QColor(kit.theme.colours.border_popup).lightness()) < NEAR
