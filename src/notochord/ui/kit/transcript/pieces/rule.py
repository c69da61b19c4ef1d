"""The line across between sections."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from notochord.ui.kit.transcript.flow import MarkRange
from notochord.ui.kit.transcript.pieces.piece import Piece

HEIGHT = 17.0


class RulePiece(Piece):
    """A thin line with air around it."""

    __slots__ = ()

    def layout(self, width: float) -> float:
        self.width, self.height = width, HEIGHT
        return HEIGHT

    def paint(self, painter: QPainter, top: float, clip: tuple[float, float], marks: Sequence[MarkRange]) -> None:
        self.paint_around(painter, top)
        painter.fillRect(QRectF(self.left, top + HEIGHT // 2, self.width - self.left, 1), self.look.border)
