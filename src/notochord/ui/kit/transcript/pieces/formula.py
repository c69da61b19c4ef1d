"""A formula that has its lines for itself: its source, readable as code."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from notochord.ui.kit.transcript.flow import Flow, MarkRange
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.pieces.piece import Piece
from notochord.ui.kit.transcript.pieces.text import NARROWEST
from notochord.ui.kit.unseen import shown
from notochord.viewmodels.chat.markdown.leaves import Leaf


class FormulaPiece(Piece):
    """The source in the fixed font on a soft ground, wrapped."""

    __slots__ = ("_flow",)

    def __init__(self, leaf: Leaf, look: Look) -> None:
        super().__init__(leaf, look)
        self._flow: Flow | None = None

    def layout(self, width: float) -> float:
        if width != self.width or self._flow is None:
            pad = self.look.style.padding
            text = shown(self.text.replace("\n", "\u2028"))
            room = max(NARROWEST, width - self.left - 2 * pad)
            self._flow = Flow(text, self.look.fixed, (), room, spacing=1.25)
            self.width, self.height = width, self._flow.height + 2 * pad
        return self.height

    def paint(self, painter: QPainter, top: float, clip: tuple[float, float], marks: Sequence[MarkRange]) -> None:
        self.paint_around(painter, top)
        self.paint_box(painter, top)
        painter.setPen(self.look.text)
        if self._flow is not None:
            pad = self.look.style.padding
            self._flow.paint(painter, QPointF(self.left + pad, top + pad), self.look, marks)

    def hit(self, x: float, y: float) -> int:
        pad = self.look.style.padding
        return self._flow.hit(x - self.left - pad, y - pad) if self._flow else 0

    def over(self, x: float, y: float) -> int | None:
        pad = self.look.style.padding
        return self._flow.over(x - self.left - pad, y - pad) if self._flow else None

    def place(self, position: int) -> tuple[float, float, float]:
        pad = self.look.style.padding
        x, y, height = self._flow.place(position) if self._flow else (0.0, 0.0, self.height)
        return x + self.left + pad, y + pad, height
