"""Where the view is: a part and an offset inside it. The scroll bar follows; wrong guesses never move what is read."""

from collections.abc import Iterator

from notochord.ui.kit.transcript.content import Content
from notochord.ui.kit.transcript.parts import Part

AIR = 20.0
"""Above the first message."""


class Anchor:
    """The truth about the position. `offset` is how far the view's top is below the top of the part `index`."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self.index = 0
        self.offset = 0.0
        self.at_end = True
        """The view follows what arrives."""
        self.air = AIR
        self.room = 0.0
        """The height of the view."""

    def to_end(self) -> None:
        """Show the end, and follow it."""
        content, index, need = self._content, self._content.count - 1, self.room
        while index >= 0 and (need := need - content.measure(index)) > 0:
            index -= 1
        if index < 0:
            index, need = 0, min(need, self.air)
        self._set(index, -need, at_end=True)

    def to_start(self) -> None:
        """Show the beginning."""
        self._set(0, -self.air, at_end=False)
        self.move(0.0)

    def move(self, distance: float) -> None:
        """Go down (or up) by an exact distance: what is passed over is measured first."""
        content, index, offset = self._content, self.index, self.offset + distance
        if not content.count:
            return
        while offset < 0 and index > 0:
            index -= 1
            offset += content.measure(index)
        offset = max(offset, 0.0 if index else -self.air)
        while offset >= (height := content.measure(index)) and index < content.count - 1:
            offset -= height
            index += 1
        content.anchor = index
        y, at = -offset, index
        while at < content.count and y < self.room:
            y += content.measure(at)
            at += 1
        if at == content.count and y <= self.room:
            self.to_end()
        else:
            self._set(index, offset, at_end=False)

    def jump(self, index: int, offset: float) -> None:
        """Show a part at once, however far away it is."""
        self._set(min(max(0, index), max(0, self._content.count - 1)), 0.0, at_end=False)
        self.move(offset)

    def drag(self, value: float) -> None:
        """Go where the scroll bar was dragged to: a place by the guesses, then the same share of the part there."""
        content = self._content
        if content.count:
            index, inside = content.heights.find(max(0.0, value - self.air))
            guess = content.heights[index]
            share = inside / guess if guess else 0.0
            self._set(index, 0.0, at_end=False)
            air = -self.air if value < self.air else 0.0
            self._set(index, share * content.measure(index) + air, at_end=False)
            self.move(0.0)

    def renew(self) -> None:
        """Stay where it is after heights changed."""
        if self.at_end:
            self.to_end()
        else:
            self.move(0.0)

    def spliced(self, start: int, gone: int, came: int) -> None:
        """Stay with the same part when others before it came or went."""
        if self.index >= start + gone:
            self.index += came - gone
        elif self.index >= start and gone:
            self.index = min(self.index, start + max(0, came - 1))
            if not came:
                self.index, self.offset = max(0, start - 1), 0.0
        self.index = min(self.index, max(0, self._content.count - 1))
        self._content.anchor = self.index

    @property
    def value(self) -> float:
        """Where the scroll bar stands."""
        return self._content.heights.before(self.index) + self.offset + self.air if self._content.count else 0.0

    @property
    def most(self) -> float:
        """Where the scroll bar stands at the end."""
        return max(0.0, self._content.heights.total() + self.air - self.room)

    def top_of(self, index: int) -> float:
        """Where the top of a part is, by what is known of the heights between."""
        heights = self._content.heights
        return heights.before(index) - heights.before(self.index) - self.offset

    def visible(self) -> Iterator[tuple[Part, float, float]]:
        """The parts in view with their upper edge and height."""
        content, y, index = self._content, -self.offset, self.index
        while index < content.count and y < self.room:
            height = content.measure(index)
            yield content.part(index), y, height
            y += height
            index += 1

    def _set(self, index: int, offset: float, *, at_end: bool) -> None:
        self.index, self.offset, self.at_end = index, offset, at_end
        self._content.anchor = index
