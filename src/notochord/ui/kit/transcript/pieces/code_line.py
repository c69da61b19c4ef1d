"""One line of code: each token laid out by itself where letters from right to left would change the order of tokens."""

from collections.abc import Sequence
from itertools import pairwise
from unicodedata import bidirectional

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from notochord.ui.kit.transcript.flow import Flow, FormatRange, MarkRange, direction
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.unseen import shown, tricks

Token = tuple[int, int, str]
"""Begin, length and the name of a colour in CodeColours."""


class CodeLine:
    """Laid out once; `width` is the room to wrap in, or None."""

    __slots__ = ("_runs", "height", "natural")

    def __init__(self, text: str, tokens: Sequence[Token], look: Look, width: float | None, *, prose: bool) -> None:
        self._runs: list[tuple[int, float, Flow]] = []
        formats = [(start, length, look.ink(kind)) for start, length, kind in tokens]
        formats += [(at, 1, look.ink("error")) for at in tricks(text)]
        painted = shown(text, code=True)
        if width is None and not prose and _turns(text):
            self._lay_apart(painted, tokens, formats, look)
        else:
            way = direction(text) if prose else Qt.LayoutDirection.LeftToRight
            self._runs.append((0, 0.0, Flow(painted, look.fixed, formats, width, way=way, spacing=1.25)))
        self.natural = max(x + flow.width for _, x, flow in self._runs)
        self.height = max(flow.height for _, _, flow in self._runs)

    def _lay_apart(self, text: str, tokens: Sequence[Token], formats: Sequence[FormatRange], look: Look) -> None:
        cuts = sorted({0, len(text), *(t[0] for t in tokens), *(t[0] + t[1] for t in tokens)})
        x = 0.0
        for a, b in pairwise(cuts):
            inside = [(start - a, length, form) for start, length, form in formats if a <= start < b]
            flow = Flow(text[a:b], look.fixed, inside, None, spacing=1.25)
            self._runs.append((a, x, flow))
            x += flow.width or self._space(text[a:b], look)

    @staticmethod
    def _space(text: str, look: Look) -> float:
        # The natural width of a line leaves out spaces at its end.
        return Flow(text + ".", look.fixed, (), None).width - Flow(".", look.fixed, (), None).width

    def paint(self, painter: QPainter, at: QPointF, look: Look, marks: Sequence[MarkRange]) -> None:
        """Paint with the upper left corner at a point."""
        for start, x, flow in self._runs:
            end = start + len(flow.text)
            inside = [(a - start, b - start, kind) for a, b, kind in marks if a < end and b > start]
            flow.paint(painter, at + QPointF(x, 0), look, inside)

    def hit(self, x: float, y: float) -> int:
        """The position nearest to a point."""
        start, left, flow = self._run_at(x)
        return start + flow.hit(x - left, y)

    def place(self, position: int) -> tuple[float, float, float]:
        """Left, top and height of the place before a character."""
        start, left, flow = next((run for run in reversed(self._runs) if run[0] <= position), self._runs[0])
        x, y, height = flow.place(position - start)
        return left + x, y, height

    def _run_at(self, x: float) -> tuple[int, float, Flow]:
        return next((run for run in reversed(self._runs) if run[1] <= x), self._runs[0])


def _turns(text: str) -> bool:
    return not text.isascii() and any(bidirectional(letter) in ("R", "AL", "AN") for letter in text)
