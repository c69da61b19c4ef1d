"""A table: columns as wide as what is in them, up to a limit; wider than the column of text, it slides."""

import csv
import io
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from notochord.ui.kit.transcript.flow import Flow, MarkRange, direction
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.pieces.piece import SlidingPiece
from notochord.ui.kit.transcript.pieces.text import formats_of, link_in, painted
from notochord.viewmodels.chat.markdown.leaves import Leaf, Line, Span

WIDEST_CELL = 320.0
NARROWEST_CELL = 40.0
CELL_ABOVE = 6.0
BAR_ROOM = 14.0
"""Below the last row, where the table slides."""


@dataclass(slots=True)
class _Cell:
    """`above` is where it begins in its row: other scripts have taller letters, and one row has one baseline."""

    flow: Flow
    natural: float
    above: float = CELL_ABOVE


class TablePiece(SlidingPiece):
    """Cells keep their layout while rows arrive. In its text, cells end in a tab and rows in a line break."""

    __slots__ = ("_cells", "_columns", "_lefts", "_starts", "_tops")

    def __init__(self, leaf: Leaf, look: Look, old: "TablePiece | None" = None) -> None:
        super().__init__(leaf, look)
        self._cells: list[list[_Cell]] = []
        self._columns: list[float] = []
        self._lefts: list[float] = [0.0]
        self._tops: list[float] = [0.0]
        self._starts: list[list[int]] = []
        if old is not None:
            known = len(old.leaf.rows) - 1  # the last row may have been half there
            if old.leaf.rows[:known] == leaf.rows[:known]:
                self._cells, self.offset = old._cells[:known], old.offset
        self._count()

    @property
    def reach(self) -> float:
        return self._lefts[-1]

    @property
    def as_csv(self) -> str:
        """The table for a spreadsheet."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\r\n").writerows([cell.text for cell in row] for row in self.leaf.rows)
        return out.getvalue()

    def layout(self, width: float) -> float:
        if width != self.width:
            for number in range(len(self._cells), len(self.leaf.rows)):
                head = number == 0 and not self.leaf.headless
                self._cells.append([self._cell(line, head=head) for line in self.leaf.rows[number]])
            self._measure_columns()
            tops = [0.0]
            for row in self._cells:
                baseline = max((cell.flow.baseline() for cell in row), default=0.0)
                for cell in row:
                    cell.above = CELL_ABOVE + baseline - cell.flow.baseline()
                tall = max(
                    (ceil(cell.above + cell.flow.height) for cell in row), default=CELL_ABOVE + self.look.body_height
                )
                tops.append(tops[-1] + tall + CELL_ABOVE)
            self._tops, self.width = tops, width
            self.height = tops[-1] + 2 + (BAR_ROOM if self.most > 0 else 0)
            self.slide(self.offset)
        return self.height

    def paint(self, painter: QPainter, top: float, clip: tuple[float, float], marks: Sequence[MarkRange]) -> None:
        self.paint_around(painter, top)
        wide = min(self.reach, self.room)
        painter.save()
        painter.setClipRect(QRectF(self.left, top, wide + 1, self.height), Qt.ClipOperation.IntersectClip)
        painter.translate(self.left - self.offset, top + 1)
        first = max(0, bisect_right(self._tops, clip[0] - top) - 1)
        for number in range(first, len(self._cells)):
            if self._tops[number] > clip[1] - top:
                break
            self._paint_row(painter, number, marks)
        painter.restore()
        painter.setPen(self.look.border)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(self.left, top, wide, self.height - 1))

    def _paint_row(self, painter: QPainter, number: int, marks: Sequence[MarkRange]) -> None:
        top, bottom = self._tops[number], self._tops[number + 1]
        head = number == 0 and not self.leaf.headless
        if head:
            painter.fillRect(QRectF(0, top, self.reach, bottom - top), self.look.sunken)
        painter.setPen(self.look.text)
        for column, cell in enumerate(self._cells[number]):
            start = self._starts[number][column]
            end = start + len(cell.flow.text)
            inside = [(a - start, b - start, kind) for a, b, kind in marks if a < end and b > start]
            at = QPointF(self._cell_left(column, cell), top + cell.above)
            cell.flow.paint(painter, at, self.look, inside)
        if number + 1 < len(self._cells):
            painter.fillRect(QRectF(0, bottom - 1, self.reach, 1), self.look.border)

    def hit(self, x: float, y: float) -> int:
        row, column, cell = self._at(x, y)
        if cell is None:
            return 0
        inside = cell.flow.hit(
            x - self.left + self.offset - self._cell_left(column, cell), y - self._tops[row] - cell.above
        )
        return self._starts[row][column] + inside

    def over(self, x: float, y: float) -> int | None:
        found = self._under(x, y)
        return None if found is None else self._starts[found[0]][found[1]] + found[2]

    def link_at(self, x: float, y: float) -> Span | None:
        found = self._under(x, y)
        return None if found is None else link_in(self.leaf.rows[found[0]][found[1]], found[2])

    def place(self, position: int) -> tuple[float, float, float]:
        row = max(0, bisect_right([starts[0] for starts in self._starts if starts], position) - 1)
        column = max(0, bisect_right(self._starts[row], position) - 1)
        cell = self._cells[row][column]
        x, y, height = cell.flow.place(position - self._starts[row][column])
        return self.left - self.offset + self._cell_left(column, cell) + x, self._tops[row] + cell.above + y, height

    def _under(self, x: float, y: float) -> tuple[int, int, int] | None:
        row, column, cell = self._at(x, y)
        if cell is None:
            return None
        left = self._cell_left(column, cell)
        inside = cell.flow.over(x - self.left + self.offset - left, y - self._tops[row] - cell.above)
        return None if inside is None else (row, column, inside)

    def _at(self, x: float, y: float) -> tuple[int, int, _Cell | None]:
        row = min(max(0, bisect_right(self._tops, y) - 1), len(self._cells) - 1)
        cells = self._cells[row] if self._cells else []
        column = min(max(0, bisect_right(self._lefts, x - self.left + self.offset) - 1), len(cells) - 1)
        return row, column, cells[column] if cells else None

    def _cell_left(self, column: int, cell: _Cell) -> float:
        side = self.leaf.sides[column] if column < len(self.leaf.sides) else ""
        pad = self.look.style.padding
        free = max(0.0, self._columns[column] - 2 * pad - cell.natural)
        share = {"right": 1.0, "center": 0.5}.get(side, 0.0)
        if not side and direction(cell.flow.text) is Qt.LayoutDirection.RightToLeft:
            share = 1.0
        return self._lefts[column] + pad + free * share

    def _cell(self, line: Line, *, head: bool) -> _Cell:
        look, text = self.look, painted(line)
        font, formats, way = look.bold if head else look.body, formats_of(line, look), direction(line.text)
        flow = Flow(text, font, formats, None, spacing=look.style.line_spacing)
        natural = flow.width
        if natural > WIDEST_CELL or way is Qt.LayoutDirection.RightToLeft or "\u2028" in text:
            natural = min(natural, WIDEST_CELL)
            flow = Flow(text, font, formats, natural + 1, way=way, spacing=look.style.line_spacing)
        return _Cell(flow, natural)

    def _measure_columns(self) -> None:
        pad = 2 * self.look.style.padding
        count = max((len(row) for row in self._cells), default=0)
        self._columns = [NARROWEST_CELL] * count
        for row in self._cells:
            for column, cell in enumerate(row):
                self._columns[column] = max(self._columns[column], cell.natural + pad)
        self._lefts = [0.0]
        for wide in self._columns:
            self._lefts.append(self._lefts[-1] + wide)

    def _count(self) -> None:
        at = 0
        for row in self.leaf.rows:
            starts = []
            for cell in row:
                starts.append(at)
                at += len(cell.text) + 1
            self._starts.append(starts)

    def lines(self) -> Iterator[str]:
        """The rows as text."""
        return ("\t".join(cell.text for cell in row) for row in self.leaf.rows)
