"""Sums of heights: where a part stands, which part stands at a place, a change of one height.

Each takes time with the square root of the number of parts, a microsecond for ten thousand; taking them all takes no
longer than to copy them, since a conversation is opened more often than it is scrolled to its beginning.
"""

from collections.abc import Iterable

BLOCK = 128
"""So many heights have their sum kept."""


class Heights:
    """The heights of the parts, in device-independent pixels, and the sums of blocks of them."""

    def __init__(self, values: Iterable[float] = ()) -> None:
        self._values = list(values)
        self._sums: list[float] = []
        self._sum_from(0)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> float:
        return self._values[index]

    def append(self, value: float) -> None:
        """Add a part at the end."""
        self._values.append(value)
        self._sum_from(len(self._values) - 1)

    def set(self, index: int, value: float) -> None:
        """Change one height."""
        self._values[index] = value
        block = index // BLOCK
        self._sums[block] = sum(self._values[block * BLOCK : (block + 1) * BLOCK])

    def splice(self, start: int, removed: int, added: Iterable[float]) -> None:
        """Put other parts in the place of some; O(n)."""
        self._values[start : start + removed] = added
        self._sum_from(start)

    def before(self, index: int) -> float:
        """The sum of all heights before a part."""
        block = index // BLOCK
        return sum(self._sums[:block]) + sum(self._values[block * BLOCK : index])

    def total(self) -> float:
        """The sum of all heights."""
        return sum(self._sums)

    def find(self, place: float) -> tuple[int, float]:
        """The part at a place, and how far below its top the place is; the last part if it is beyond the end."""
        at = 0
        for height in self._sums:
            if height > place or at + BLOCK >= len(self._values):
                break
            place -= height
            at += BLOCK
        for index in range(at, len(self._values)):
            if self._values[index] > place:
                return index, place
            place -= self._values[index]
        return len(self._values) - 1, self._values[-1]

    def _sum_from(self, index: int) -> None:
        """Make the sums anew from that of the block of this height on."""
        first = index // BLOCK
        self._sums[first:] = [
            sum(self._values[at : at + BLOCK]) for at in range(first * BLOCK, len(self._values), BLOCK)
        ]
