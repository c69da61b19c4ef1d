"""Lays out one run of text: wrapping, direction, marks, and from a point to a character and back.

All positions are characters of the Python string; Qt counts UTF-16 units, so that each character beyond U+FFFF counts
twice there.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from math import ceil
from typing import cast
from unicodedata import bidirectional

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QPainter, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from notochord.ui.kit.transcript.look import Look

MarkRange = tuple[int, int, int]
"""Begin, end and kind (see Mark) of a background."""
FormatRange = tuple[int, int, QTextCharFormat]
"""Begin, length and format."""

UNBOUNDED = 1e6
_DIRECTION_READ = 400


def direction(text: str) -> Qt.LayoutDirection:
    """The direction of a paragraph: that of its first strong character, as browsers do it."""
    if not text.isascii():
        for letter in text[:_DIRECTION_READ]:
            way = bidirectional(letter)
            if way == "L":
                break
            if way in ("R", "AL"):
                return Qt.LayoutDirection.RightToLeft
    return Qt.LayoutDirection.LeftToRight


@cache
def _option(wraps: bool, way: Qt.LayoutDirection) -> QTextOption:
    # QTextLayout does not turn a leading alignment round by itself.
    side = (
        Qt.AlignmentFlag.AlignRight if way is Qt.LayoutDirection.RightToLeft and wraps else Qt.AlignmentFlag.AlignLeft
    )
    option = QTextOption(side | Qt.AlignmentFlag.AlignAbsolute)
    mode = QTextOption.WrapMode
    option.setWrapMode(mode.WrapAtWordBoundaryOrAnywhere if wraps else mode.NoWrap)
    option.setTextDirection(way)
    option.setTabStopDistance(32)
    return option


class Flow:
    """One laid-out text. `width` None means one line, however long."""

    __slots__ = ("_layout", "_wide", "height", "text", "width")

    def __init__(
        self,
        text: str,
        font: QFont,
        formats: Iterable[FormatRange],
        width: float | None,
        *,
        way: Qt.LayoutDirection = Qt.LayoutDirection.LeftToRight,
        spacing: float = 1.0,
    ) -> None:
        self.text = text
        # Where characters beyond U+FFFF stand; most texts have none.
        self._wide = [at for at, letter in enumerate(text) if letter > "\uffff"] if not text.isascii() else []
        layout = self._layout = QTextLayout(text, font)
        layout.setTextOption(_option(width is not None, way))
        layout.setCacheEnabled(True)
        ranges = [self._range(start, start + length, format) for start, length, format in formats]
        if ranges:
            layout.setFormats(ranges)
        self.height = self.width = 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(UNBOUNDED if width is None else width)
            tall = ceil(line.height() * spacing)
            line.setPosition(QPointF(0, self.height + (tall - line.height()) / 2))
            self.height += tall
            self.width = max(self.width, line.naturalTextWidth())
        layout.endLayout()

    def paint(self, painter: QPainter, at: QPointF, look: Look, marks: Sequence[MarkRange] = ()) -> None:
        """Paint with the pen's colour; `marks` in the order in which they lie over each other."""
        ranges = [self._range(max(a, 0), min(b, len(self.text)), look.marks[kind]) for a, b, kind in marks if a < b]
        if ranges:
            self._layout.draw(painter, at, ranges)
        else:
            self._layout.draw(painter, at)

    def hit(self, x: float, y: float) -> int:
        """The position between characters that is nearest to a point."""
        line = self._line_at(y)
        return self._from_qt(line.xToCursor(x)) if line is not None else 0

    def over(self, x: float, y: float) -> int | None:
        """The character under a point; None beside the text."""
        line = self._line_at(y)
        if line is None or not 0 <= y <= self.height:
            return None
        area = line.naturalTextRect()
        if not area.left() <= x <= area.right():
            return None
        kind = type(line).CursorPosition
        return self._from_qt(line.xToCursor(x, kind.CursorOnCharacter))

    def place(self, position: int) -> tuple[float, float, float]:
        """Left, top and height of the place before a character."""
        at = self._to_qt(position)
        line = self._layout.lineForTextPosition(at)
        if not line.isValid():
            return 0.0, 0.0, self.height
        x = line.cursorToX(at)
        left = x[0] if isinstance(x, tuple) else x
        return float(cast("float", left)), line.y(), line.height()

    def baseline(self) -> float:
        """How far below the top the first line stands."""
        line = self._layout.lineAt(0)
        return line.y() + line.ascent()

    def _line_at(self, y: float) -> QTextLine | None:
        count = self._layout.lineCount()
        for number in range(count):
            line = self._layout.lineAt(number)
            if y < line.y() + line.height() or number == count - 1:
                return line
        return None

    def _range(self, start: int, end: int, format: QTextCharFormat) -> QTextLayout.FormatRange:
        found = QTextLayout.FormatRange()
        found.start = self._to_qt(start)
        found.length = self._to_qt(end) - found.start
        found.format = format
        return found

    def _to_qt(self, position: int) -> int:
        return position + bisect_left(self._wide, position) if self._wide else position

    def _from_qt(self, position: int) -> int:
        if not self._wide:
            return position
        low, high = 0, len(self.text)
        while low < high:
            middle = (low + high) // 2
            if self._to_qt(middle) < position:
                low = middle + 1
            else:
                high = middle
        return low
