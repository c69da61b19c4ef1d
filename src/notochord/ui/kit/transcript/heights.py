"""Sums of heights: where a part stands, which part stands at a place, a change of one height, each in O(log n)."""

from collections.abc import Iterable
from itertools import accumulate


class Heights:
    """A Fenwick tree over the heights of the parts, in device-independent pixels."""

    def __init__(self, values: Iterable[float] = ()) -> None:
        self._values = [0.0, *values]
        sums = list(accumulate(self._values))
        self._tree = [total - sums[at & (at - 1)] for at, total in enumerate(sums)] if sums else [0.0]

    def __len__(self) -> int:
        return len(self._values) - 1

    def __getitem__(self, index: int) -> float:
        return self._values[index + 1]

    def append(self, value: float) -> None:
        """Add a part at the end."""
        at, total, step = len(self._values), value, 1
        self._values.append(value)
        while step < (at & -at):
            total += self._tree[at - step]
            step <<= 1
        self._tree.append(total)

    def set(self, index: int, value: float) -> None:
        """Change one height."""
        at = index + 1
        change = value - self._values[at]
        if change:
            self._values[at] = value
            while at < len(self._tree):
                self._tree[at] += change
                at += at & -at

    def splice(self, start: int, removed: int, added: Iterable[float]) -> None:
        """Put other parts in the place of some; O(n)."""
        values = self._values[1:]
        values[start : start + removed] = added
        self.__init__(values)  # type: ignore[misc]

    def before(self, index: int) -> float:
        """The sum of all heights before a part."""
        total = 0.0
        while index:
            total += self._tree[index]
            index -= index & -index
        return total

    def total(self) -> float:
        """The sum of all heights."""
        return self.before(len(self))

    def find(self, place: float) -> tuple[int, float]:
        """The part at a place, and how far below its top the place is; the last part if it is beyond the end."""
        at, count, step = 0, len(self), 1
        while step * 2 <= count:
            step *= 2
        while step:
            if at + step <= count and self._tree[at + step] <= place:
                at += step
                place -= self._tree[at]
            step >>= 1
        return (at, place) if at < count else (count - 1, self._values[count])
