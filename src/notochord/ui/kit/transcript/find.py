"""Finds a text in the whole conversation: candidates at a glance by their source, then exact places, in slices."""

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from notochord.ui.kit.transcript.clipboard import part_leaves
from notochord.ui.kit.transcript.content import Content
from notochord.ui.kit.transcript.parts import Part, TextPart
from notochord.ui.kit.transcript.selection import Position

SLICE_SECONDS = 0.006
_MARKS = str.maketrans("", "", "*_`~\\")


@dataclass(frozen=True, slots=True)
class Hit:
    """One place, within one block."""

    row: int
    piece: int
    start: int
    end: int


class Finder(QObject):
    """Emits `counted`: the number of the current hit (from 1; 0 for none), how many there are, whether that is all.

    Text that is folded away is not searched; a card is found by its text, as one hit.
    """

    counted = Signal(int, int, bool)

    def __init__(self, content: Content, parent: QObject) -> None:
        super().__init__(parent)
        self._content = content
        self._needle = ""
        self._waiting: list[Part] = []
        self._hits: dict[Part, list[Hit]] = {}
        self.current: tuple[Part, Hit] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._slice)

    @property
    def needle(self) -> str:
        """What is looked for, folded."""
        return self._needle

    @property
    def complete(self) -> bool:
        """Whether every part has been looked through."""
        return not self._waiting

    def start(self, text: str) -> None:
        """Look for a text, without regard to case; an empty one ends the search."""
        self._needle = text.casefold()
        self._hits.clear()
        self.current = None
        self._waiting = []
        if self._needle:
            candidates = range(self._content.count - 1, -1, -1)
            self._waiting = [self._content.part(index) for index in candidates if self._may_hold(index)]
        self._go_on()

    def changed(self, part: Part) -> None:
        """A part has another text now."""
        if self._needle:
            self._hits.pop(part, None)
            if self.current and self.current[0] is part:
                self.current = None
            if part not in self._waiting and self._may_hold(part.index):
                self._waiting.insert(0, part)
            self._timer.start()

    def forget(self) -> None:
        """Parts came and went: look through all again."""
        if self._needle:
            self.start(self._needle)

    def hits(self, part: Part) -> list[Hit]:
        """The hits in a part, in order; looks through it now if that has not been done."""
        found = self._hits.get(part)
        if found is None:
            found = self._search(part) if self._needle and self._may_hold(part.index) else []
            if self._needle:
                self._hits[part] = found
                if part in self._waiting:
                    self._waiting.remove(part)
        return found

    def step(self, origin: Position, *, back: bool) -> tuple[Part, Hit] | None:
        """Make the next hit after a position (or before it) the current one, going round at the ends."""
        count = self._content.count
        if not self._needle or not count:
            return None
        here = min(origin.part, count - 1)
        place = (origin.row, origin.piece, origin.offset)
        for far in range(count + 1):
            index = (here - far if back else here + far) % count
            if not self._may_hold(index):
                continue
            part = self._content.part(index)
            found = self.hits(part)
            if far == 0:
                found = [h for h in found if (_place(h) < place if back else _place(h) >= place)]
            if found:
                self.current = (part, found[-1 if back else 0])
                self._tell()
                return self.current
        self._tell()
        return None

    def after_current(self, *, back: bool) -> Position | None:
        """Where to go on from the current hit."""
        if self.current is None:
            return None
        part, hit = self.current
        return Position(part.index, hit.row, hit.piece, hit.start if back else hit.start + 1)

    def _may_hold(self, index: int) -> bool:
        source = self._content.source_at(index)
        words = self._needle.translate(_MARKS).split()
        return bool(source) and (not words or words[0] in source.casefold().translate(_MARKS))

    def _search(self, part: Part) -> list[Hit]:
        if not isinstance(part, TextPart):
            at = part.entry.text.casefold().find(self._needle)
            return [Hit(0, 0, 0, 0)] if at >= 0 else []
        return [
            Hit(r, k, start, end)
            for r, leaves in enumerate(part_leaves(self._content, part))
            for k, leaf in enumerate(leaves)
            for start, end in occurrences(leaf.text, self._needle)
        ]

    def _go_on(self) -> None:
        if self._waiting:
            self._timer.start()
        else:
            self._timer.stop()
        self._tell()

    def _slice(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS
        while self._waiting and time.perf_counter() < until:
            part = self._waiting.pop()
            self._hits[part] = self._search(part)
        self._go_on()

    def _tell(self) -> None:
        number = 0
        if self.current is not None:
            part, hit = self.current
            before = (len(hits) for other, hits in self._hits.items() if other.index < part.index)
            number = sum(before) + self._hits.get(part, [hit]).index(hit) + 1
        self.counted.emit(number, sum(map(len, self._hits.values())), self.complete)


def occurrences(text: str, needle: str) -> list[tuple[int, int]]:
    """Where a folded needle stands in a text: begin and end, without overlaps."""
    folded = text.casefold()
    if len(folded) == len(text):
        return _all(folded, needle)
    origin = [at for at, letter in enumerate(text) for _ in letter.casefold()]
    return [(origin[a], origin[b - 1] + 1) for a, b in _all("".join(c.casefold() for c in text), needle)]


def _all(text: str, needle: str) -> list[tuple[int, int]]:
    found, at = [], text.find(needle)
    while at >= 0:
        found.append((at, at + len(needle)))
        at = text.find(needle, at + len(needle))
    return found


def _place(hit: Hit) -> tuple[int, int, int]:
    return (hit.row, hit.piece, hit.start)
