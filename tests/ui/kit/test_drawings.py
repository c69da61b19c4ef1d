"""Kept drawings are as sharp as what they are drawn on."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from notochord.ui.kit.theme.drawings import Drawings


def test_a_drawing_has_the_scale_of_what_it_is_drawn_on(qapp: QApplication) -> None:
    drawings, seen = Drawings(), list[float]()
    for scale in (1.0, 2.0, 2.0):
        page = QPixmap(round(40 * scale), round(20 * scale))
        page.setDevicePixelRatio(scale)
        painter = QPainter(page)
        drawings.draw(painter, QRect(0, 0, 40, 20), "a box", lambda on, _: seen.append(on.device().devicePixelRatio()))
        painter.end()
    assert seen == [1.0, 2.0]
