"""A layout that puts widgets in lines, like words of a text: what has no room in a line begins the next."""

from collections.abc import Iterator

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Wrap(QLayout):
    """Every widget has the size that it wants, and at most the width there is; `gap` is between them, both ways.

    The last one of a line that grows takes what is left of the line.
    """

    def __init__(self, parent: QWidget | None = None, *, gap: int) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((place.bottom() + 1 for _, place in self._places(width)), default=0)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._shown()]
        width = sum(hint.width() for hint in hints) + self._gap * max(0, len(hints) - 1)
        return QSize(width, max((hint.height() for hint in hints), default=0))

    def minimumSize(self) -> QSize:
        least = [item.minimumSize() for item in self._shown()]
        width = max((size.width() for size in least), default=0)
        return QSize(width, max((size.height() for size in least), default=0))

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        parent = self.parentWidget()
        right_to_left = parent is not None and parent.layoutDirection() is Qt.LayoutDirection.RightToLeft
        for item, place in self._places(area.width()):
            left = area.width() - place.right() - 1 if right_to_left else place.left()
            item.setGeometry(QRect(area.left() + left, area.top() + place.top(), place.width(), place.height()))

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _places(self, width: int) -> Iterator[tuple[QLayoutItem, QRect]]:
        """Yield what is shown with its place, from the left edge; what stands in one line is equally high."""
        line: list[tuple[QLayoutItem, int]] = []
        top = at = 0
        for item in self._shown():
            wanted = min(item.sizeHint().width(), width)
            if line and at + wanted > width:
                yield from self._line(line, top, width)
                top += max(one.sizeHint().height() for one, _ in line) + self._gap
                line, at = [], 0
            line.append((item, wanted))
            at += wanted + self._gap
        yield from self._line(line, top, width)

    def _line(self, line: list[tuple[QLayoutItem, int]], top: int, room: int) -> Iterator[tuple[QLayoutItem, QRect]]:
        height = max((item.sizeHint().height() for item, _ in line), default=0)
        growing = [item for item, _ in line if item.expandingDirections() & Qt.Orientation.Horizontal]
        left = room - sum(width + self._gap for _, width in line) + self._gap
        at = 0
        for item, wanted in line:
            width = wanted + left if growing and item is growing[-1] else wanted
            yield item, QRect(at, top, width, height)
            at += width + self._gap
