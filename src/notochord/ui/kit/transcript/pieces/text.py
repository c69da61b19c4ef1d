"""Paragraphs, headings and items of lists."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from notochord.ui.kit.transcript.flow import Flow, FormatRange, MarkRange, direction
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.pieces.piece import Piece
from notochord.ui.kit.unseen import shown
from notochord.viewmodels.chat.markdown.leaves import CODE, IMAGE, LINK, Kind, Leaf, Line, Span

NARROWEST = 60.0


def formats_of(line: Line, look: Look) -> list[FormatRange]:
    """How the spans of a line look."""
    return [(span.start, span.length, look.format(span.flags)) for span in line.spans]


def painted(line: Line) -> str:
    """What is painted for a line: in its pieces of code also what is not seen."""
    text = shown(line.text)
    for span in line.spans:
        if span.flags & CODE:
            text = text[: span.start] + shown(text[span.start : span.end], code=True) + text[span.end :]
    return text


def link_in(line: Line, position: int | None) -> Span | None:
    """The link or picture that a character belongs to."""
    if position is None:
        return None
    for span in line.spans:
        if span.start <= position < span.end and span.flags & (LINK | IMAGE):
            return span
    return None


class TextPiece(Piece):
    """A paragraph in its own direction."""

    __slots__ = ("_flow", "_way")

    def __init__(self, leaf: Leaf, look: Look) -> None:
        super().__init__(leaf, look)
        self._way = direction(leaf.line.text)
        self._flow: Flow | None = None

    @property
    def above(self) -> float:  # type: ignore[override]  # an attribute in others
        if self.leaf.kind is Kind.HEADING:
            return self.look.style.gap * (0.9 if self.leaf.level <= 2 else 0.5)
        return -self.look.style.gap * 0.45 if self.leaf.marker else 0.0

    @property
    def right_to_left(self) -> bool:
        return self._way is Qt.LayoutDirection.RightToLeft

    @property
    def flow(self) -> Flow:
        """The text laid out; `layout` comes before."""
        if self._flow is None:
            raise RuntimeError("a piece is laid out before it is painted")
        return self._flow

    def layout(self, width: float) -> float:
        if width != self.width:
            leaf, look = self.leaf, self.look
            heading = leaf.kind is Kind.HEADING
            self._flow = Flow(
                painted(leaf.line),
                look.headings[leaf.level - 1] if heading else look.body,
                formats_of(leaf.line, look),
                max(NARROWEST, width - self.left),
                way=self._way,
                spacing=1.2 if heading else look.style.line_spacing,
            )
            self.width, self.height = width, self._flow.height
        return self.height

    def paint(self, painter: QPainter, top: float, clip: tuple[float, float], marks: Sequence[MarkRange]) -> None:
        self.paint_around(painter, top, self.flow.baseline())
        painter.setPen(self.look.soft if self.leaf.quotes else self.look.text)
        self.flow.paint(painter, QPointF(self._x, top), self.look, marks)

    def hit(self, x: float, y: float) -> int:
        return self.flow.hit(x - self._x, y)

    def over(self, x: float, y: float) -> int | None:
        return self.flow.over(x - self._x, y)

    def link_at(self, x: float, y: float) -> Span | None:
        return link_in(self.leaf.line, self.over(x, y))

    def place(self, position: int) -> tuple[float, float, float]:
        x, y, height = self.flow.place(position)
        return x + self._x, y, height

    @property
    def _x(self) -> float:
        return 0.0 if self.right_to_left else self.left
