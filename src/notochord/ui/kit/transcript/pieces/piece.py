"""What every block on screen can do."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from notochord.ui.kit.transcript.flow import MarkRange
from notochord.ui.kit.transcript.look import Look
from notochord.viewmodels.chat.markdown.leaves import Leaf, Span

QUOTE_BAR = 3
QUOTE_STEP = 16


class Piece(ABC):
    """One leaf on screen. Heights, widths and points are relative to its own top and to the left of the column."""

    __slots__ = ("bars_below", "below", "height", "leaf", "left", "look", "width")

    above = 0.0
    """Extra distance to the block before."""

    def __init__(self, leaf: Leaf, look: Look) -> None:
        self.leaf = leaf
        self.look = look
        self.width = -1.0
        self.height = 0.0
        self.below = 0.0
        """The distance to the next block."""
        self.bars_below = 0
        """How many quotes go on in it."""
        self.left = float(leaf.depth * look.style.indent + leaf.quotes * QUOTE_STEP)

    @property
    def text(self) -> str:
        """What is copied and found; positions count its characters."""
        return self.leaf.text

    @property
    def length(self) -> int:
        return len(self.text)

    @property
    def right_to_left(self) -> bool:
        return False

    @abstractmethod
    def layout(self, width: float) -> float:
        """Fit into a width and return the height."""

    @abstractmethod
    def paint(self, painter: QPainter, top: float, clip: tuple[float, float], marks: Sequence[MarkRange]) -> None:
        """Paint with the upper edge at `top`, what lies between the two values of `clip`."""

    def hit(self, x: float, y: float) -> int:
        """The position nearest to a point."""
        return 0

    def over(self, x: float, y: float) -> int | None:
        """The character under a point; None beside the text."""
        return None

    def link_at(self, x: float, y: float) -> Span | None:
        """The link or picture under a point."""
        return None

    def place(self, position: int) -> tuple[float, float, float]:
        """Left, top and height of the place before a character."""
        return self.left, 0.0, self.height

    def paint_around(self, painter: QPainter, top: float, baseline: float = 0.0) -> None:
        """Paint the bars of quotes and the marker of an item."""
        leaf = self.leaf
        for quote in range(leaf.quotes):
            x = self.width - QUOTE_BAR - quote * QUOTE_STEP if self.right_to_left else quote * QUOTE_STEP
            below = self.below if quote < self.bars_below else 0.0
            painter.fillRect(QRectF(x, top, QUOTE_BAR, self.height + below), self.look.border)
        if leaf.marker:
            self._paint_marker(painter, top, baseline)

    def paint_box(self, painter: QPainter, top: float) -> QRectF:
        """Paint the ground and frame of code and the like, and return its area."""
        style, box = self.look.style, QRectF(self.left, top, self.width - self.left, self.height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.look.border, 1))
        painter.setBrush(self.look.sunken)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), style.radius, style.radius)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        return box

    def _paint_marker(self, painter: QPainter, top: float, baseline: float) -> None:
        painter.setPen(self.look.soft)
        painter.setFont(self.look.body)
        width = painter.fontMetrics().horizontalAdvance(self.leaf.marker)
        gap = self.look.style.indent * 0.28
        x = self.width - self.left + gap if self.right_to_left else self.left - gap - width
        painter.drawText(round(x), round(top + (baseline or painter.fontMetrics().ascent())), self.leaf.marker)


class SlidingPiece(Piece):
    """A block that may be wider than the column and then slides sideways by itself."""

    __slots__ = ("offset",)

    def __init__(self, leaf: Leaf, look: Look) -> None:
        super().__init__(leaf, look)
        self.offset = 0.0

    @property
    @abstractmethod
    def reach(self) -> float:
        """The width of everything inside."""

    @property
    def room(self) -> float:
        """The width that there is for it."""
        return self.width - self.left

    @property
    def most(self) -> float:
        """The farthest offset; 0 if all is in view."""
        return max(0.0, self.reach - self.room)

    def slide(self, offset: float) -> None:
        """Move to an offset, at most to the ends."""
        self.offset = min(max(0.0, offset), self.most)
