"""What is selected: two positions. Nothing is kept in the pieces, so that a selection outlives what it lies on."""

import re
from typing import NamedTuple

_WORD = re.compile(r"\w+|[^\w\s]+|\s+")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class Position(NamedTuple):
    """A place between two characters: part, row, piece, character."""

    part: int
    row: int
    piece: int
    offset: int


END = 1 << 60
"""Beyond the last character of anything."""


class Selection:
    """`fixed` stays while `moving` follows the pointer."""

    def __init__(self) -> None:
        self.fixed: Position | None = None
        self.moving: Position | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing is selected."""
        return self.fixed is None or self.moving is None or self.fixed == self.moving

    def clear(self) -> None:
        """Select nothing."""
        self.fixed = self.moving = None

    def set(self, fixed: Position, moving: Position) -> None:
        """Select what lies between."""
        self.fixed, self.moving = fixed, moving

    def bounds(self) -> tuple[Position, Position]:
        """First and last position. Raises ValueError if nothing is selected."""
        if self.fixed is None or self.moving is None:
            raise ValueError("nothing is selected")
        return (self.fixed, self.moving) if self.fixed <= self.moving else (self.moving, self.fixed)

    def within(self, part: int, row: int, piece: int, length: int) -> tuple[int, int] | None:
        """Which characters of a piece are selected; None if it lies outside."""
        if self.empty:
            return None
        first, last = self.bounds()
        here = (part, row, piece)
        if not first[:3] <= here <= last[:3]:
            return None
        begin = first.offset if here == first[:3] else 0
        return begin, min(last.offset, length) if here == last[:3] else length

    def spliced(self, start: int, gone: int, came: int) -> None:
        """Stay on the same text when parts before it came or went; let go if its own did."""
        for position in (self.fixed, self.moving):
            if position is not None and start <= position.part < start + gone:
                self.clear()
                return
        self.fixed, self.moving = (
            p if p is None or p.part < start else p._replace(part=p.part + came - gone)
            for p in (self.fixed, self.moving)
        )

    def split(self, part: int, rows: int) -> None:
        """Stay on the same text when rows moved on into the next part."""
        self.fixed, self.moving = (
            Position(part + 1, p.row - rows, p.piece, p.offset)
            if p is not None and p.part == part and p.row >= rows
            else p
            for p in (self.fixed, self.moving)
        )


def word_at(text: str, offset: int) -> tuple[int, int]:
    """Begin and end of the word at a character; an ideograph stands for itself."""
    if offset < len(text) and _WIDE.match(text, offset):
        return offset, offset + 1
    begin = max(0, offset - 200)
    for found in _WORD.finditer(text, begin, min(len(text), offset + 200)):
        if found.start() <= offset < found.end():
            return found.span()
    return offset, offset
