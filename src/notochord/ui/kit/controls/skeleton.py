"""Rows that stand where content will be while it is read."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel

WIDTHS = (0.62, 0.84, 0.48, 0.7)


class Skeleton(QWidget):
    """`rows` grey bars, each with a square before it; `name` says what is being read."""

    def __init__(self, kit: Kit, name: str, rows: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._rows = rows
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        kit.theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(240, self._rows * self._row_height())

    def paintEvent(self, _: QPaintEvent) -> None:
        theme, height = self._kit.theme, self._row_height()
        painter = QPainter(self)
        ground = theme.colour("hover")
        for row in range(self._rows):
            top, side = row * height, height - theme.space.m
            panel(painter, QRectF(0, top, side, side), theme.tokens.radius.medium, ground)
            left = side + theme.space.m
            wide = (self.width() - left) * WIDTHS[row % len(WIDTHS)]
            panel(painter, QRectF(left, top + side * 0.14, wide * 0.6, side * 0.28), theme.tokens.radius.small, ground)
            panel(painter, QRectF(left, top + side * 0.58, wide, side * 0.24), theme.tokens.radius.small, ground)
        painter.end()

    def _row_height(self) -> int:
        return 2 * self._kit.theme.line_height() + 2 * self._kit.theme.space.m
