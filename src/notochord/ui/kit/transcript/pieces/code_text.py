"""The lines of a code block as they are shown, while they grow: a very long line is cut into several."""

from bisect import bisect_right
from collections.abc import Sequence

LONG = 4000
CUT = 500


class CodeText:
    """Shown lines with their place in the whole text. Growing costs what is new, not what is there."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.starts: list[int] = []
        self.has_long = False
        self._firsts: list[int] = []
        self._length = 0

    @property
    def length(self) -> int:
        """The number of characters of the whole text."""
        return self._length

    @property
    def text(self) -> str:
        """The whole text as it was given."""
        return "\n".join(self._whole())

    def set_tail(self, unchanged: int, tail: Sequence[str]) -> int:
        """Keep the first `unchanged` lines and put others after them; return the first shown line that is new."""
        shown = self._firsts[unchanged] if unchanged < len(self._firsts) else len(self.lines)
        start = self.starts[shown] if shown < len(self.starts) else (self._length + 1 if self.lines else 0)
        del self.lines[shown:], self.starts[shown:], self._firsts[unchanged:]
        for line in tail or ([""] if not self.lines else ()):
            self._firsts.append(len(self.lines))
            start = self._add(line, start)
        self._length = max(0, start - 1)
        return shown

    def line_at(self, position: int) -> int:
        """The shown line that a position is in."""
        return max(0, bisect_right(self.starts, position) - 1)

    def _add(self, line: str, start: int) -> int:
        if len(line) > LONG:
            self.has_long = True
            for at in range(0, len(line), CUT):
                self.lines.append(line[at : at + CUT])
                self.starts.append(start + at)
        else:
            self.lines.append(line)
            self.starts.append(start)
        return start + len(line) + 1

    def _whole(self) -> list[str]:
        if not self.has_long:
            return self.lines
        ends = [*self._firsts[1:], len(self.lines)]
        return ["".join(self.lines[a:b]) for a, b in zip(self._firsts, ends, strict=True)]
