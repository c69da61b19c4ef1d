"""A code block: a head line, then lines of which only those in view are laid out, as its height is a product."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from notochord.ui.kit.transcript.flow import MarkRange
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.pieces.code_line import CodeLine, Token
from notochord.ui.kit.transcript.pieces.code_text import CodeText
from notochord.ui.kit.transcript.pieces.piece import SlidingPiece
from notochord.viewmodels.chat.markdown.leaves import Leaf

MOST_LAID_OUT = 400
MOST_WRAPPED = 200_000
"""Characters up to which long lines can be wrapped: then every line has to be laid out."""
PROSE = frozenset({"", "text", "txt", "plain", "plaintext", "markdown", "md"})


class CodePiece(SlidingPiece):
    """`version` rises with the text; colours come later, from the lexer."""

    __slots__ = ("_code", "_colours", "_laid", "_tops", "_widest", "_wraps", "language", "version")

    def __init__(self, leaf: Leaf, look: Look, *, wraps: bool = False) -> None:
        super().__init__(leaf, look)
        self.language = leaf.language
        self.version = 0
        self._code = CodeText()
        self._code.set_tail(0, leaf.line.text.split("\n"))
        self._colours: Mapping[int, Sequence[Token]] = {}
        self._laid: dict[int, CodeLine] = {}
        self._tops: list[float] = []
        self._widest = 0.0
        self._wraps = wraps and self.can_wrap

    @property
    def text(self) -> str:
        return self._code.text

    @property
    def length(self) -> int:
        return self._code.length

    @property
    def has_long_lines(self) -> bool:
        """Whether lines were cut to be shown."""
        return self._code.has_long

    @property
    def can_wrap(self) -> bool:
        """Whether long lines can be wrapped."""
        return self._code.length <= MOST_WRAPPED

    @property
    def wraps(self) -> bool:
        """Whether long lines are wrapped."""
        return self._wraps

    @wraps.setter
    def wraps(self, wraps: bool) -> None:
        self._wraps, self.width, self.offset = wraps and self.can_wrap, -1.0, 0.0
        self._laid.clear()

    @property
    def reach(self) -> float:
        return self._widest + 2 * self.look.style.padding if not self._wraps else 0.0

    def grow(self, tail: Sequence[str], unchanged: int, language: str) -> None:
        """Take the lines after the first `unchanged` anew, while the block arrives."""
        first = self._code.set_tail(unchanged, tail)
        self.language = language
        for number in [number for number in self._laid if number >= first]:
            del self._laid[number]
        if self._wraps and not self.can_wrap:
            self.wraps = False
        self.width = -1.0
        self.version += 1

    def take(self, leaf: Leaf) -> bool:
        """Become another leaf if that is the same block, longer: colours stay while it arrives in a list."""
        old = self.leaf
        if (old.depth, old.quotes, old.marker, old.language) != (leaf.depth, leaf.quotes, leaf.marker, leaf.language):
            return False
        settled = old.text.rfind("\n") + 1
        if not leaf.text.startswith(old.text[:settled]):
            return False
        self.grow(leaf.text[settled:].split("\n"), old.text.count("\n"), leaf.language)
        self.leaf = leaf
        return True

    def colour(self, colours: Mapping[int, Sequence[Token]]) -> None:
        """Show other colours, by shown line."""
        for number in [n for n in self._laid if colours.get(n) != self._colours.get(n)]:
            del self._laid[number]
        self._colours = colours

    def layout(self, width: float) -> float:
        if width != self.width:
            if self._wraps and self.width != width:
                self._laid.clear()
            self.width = width
            self._tops = []
            if self._wraps:
                heights = (self._line(n, keep=True).height for n in range(len(self._code.lines)))
                self._tops = list(accumulate(heights, initial=0.0))
            body = self._tops[-1] if self._tops else len(self._code.lines) * self.look.code_height
            self.height = self.look.bar_height + body + 1.5 * self.look.style.padding
            self.slide(self.offset)
        return self.height

    def prepare(self, top: float, bottom: float) -> None:
        """Lay out the lines between two places, so that its reach is known before it is painted."""
        first, last = self._number_at(top - self.look.bar_height), self._number_at(bottom - self.look.bar_height)
        for number in range(first, last + 1):
            self._line(number)

    def paint(self, painter: QPainter, top: float, clip: tuple[float, float], marks: Sequence[MarkRange]) -> None:
        self.paint_around(painter, top)
        style, look = self.look.style, self.look
        painter.save()
        box = self.paint_box(painter, top)
        painter.setClipRect(box.adjusted(style.padding, 0, -style.padding, 0), Qt.ClipOperation.IntersectClip)
        painter.setPen(look.soft)
        painter.setFont(look.small)
        head = QRectF(self.left + style.padding, top, box.width() * 0.6, look.bar_height)
        painter.drawText(head, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.language)
        painter.setPen(look.ink("plain").foreground().color())
        self._paint_lines(painter, top + look.bar_height, clip, marks)
        painter.restore()

    def _paint_lines(
        self, painter: QPainter, top: float, clip: tuple[float, float], marks: Sequence[MarkRange]
    ) -> None:
        x = self.left + self.look.style.padding - self.offset
        first, last = self._number_at(clip[0] - top), self._number_at(clip[1] - top)
        for number in range(first, last + 1):
            start, line = self._code.starts[number], self._line(number)
            end = start + len(self._code.lines[number])
            inside = [(max(a - start, 0), b - start, kind) for a, b, kind in marks if a <= end and b >= start]
            line.paint(painter, QPointF(x, top + self._top(number)), self.look, inside)

    def hit(self, x: float, y: float) -> int:
        below = y - self.look.bar_height
        number = self._number_at(below)
        x -= self.left + self.look.style.padding - self.offset
        return self._code.starts[number] + self._line(number).hit(x, below - self._top(number))

    def over(self, x: float, y: float) -> int | None:
        below = y - self.look.bar_height
        return self.hit(x, y) if 0 <= below < self.height else None

    def place(self, position: int) -> tuple[float, float, float]:
        number = self._code.line_at(position)
        x, y, height = self._line(number).place(position - self._code.starts[number])
        left = self.left + self.look.style.padding - self.offset
        return left + x, self.look.bar_height + self._top(number) + y, height

    def _top(self, number: int) -> float:
        return self._tops[number] if self._tops else number * self.look.code_height

    def _number_at(self, below: float) -> int:
        count = len(self._code.lines)
        if not self._tops:
            return min(max(0, int(below // self.look.code_height)), count - 1)
        low, high = 0, count - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._tops[middle] <= below:
                low = middle
            else:
                high = middle - 1
        return low

    def _line(self, number: int, *, keep: bool = False) -> CodeLine:
        line = self._laid.get(number)
        if line is None:
            if len(self._laid) >= MOST_LAID_OUT and not keep and not self._wraps:
                self._laid.clear()
            room = max(60.0, self.width - self.left - 2 * self.look.style.padding) if self._wraps else None
            prose = self.language.lower() in PROSE
            line = CodeLine(self._code.lines[number], self._colours.get(number, ()), self.look, room, prose=prose)
            self._laid[number] = line
            self._widest = max(self._widest, line.natural)
        return line
