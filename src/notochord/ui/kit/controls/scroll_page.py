"""A page that scrolls, with one column in its middle that is never too wide to read."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from notochord.ui.kit.focus_in_view import FocusInView
from notochord.ui.kit.kit import Kit

READABLE = 760


class ScrollPage(QScrollArea):
    """Put widgets into `column`; it is as wide as the page, up to `widest` pixels at the usual size of text."""

    def __init__(self, kit: Kit, name: str, parent: QWidget | None = None, *, widest: int = READABLE) -> None:
        super().__init__(parent)
        self._kit = kit
        self._widest = widest
        space = kit.theme.space
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        FocusInView(self)
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.setContentsMargins(space.xl, space.xxl, space.xl, space.xxl)
        row.addStretch(1)
        self._middle = QWidget()
        self.column = QVBoxLayout(self._middle)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(space.m)
        row.addWidget(self._middle, 1000)
        row.addStretch(1)
        self.setWidget(inside)
        kit.theme.changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        self._middle.setMaximumWidth(readable_width(self._kit, self._widest))


def readable_width(kit: Kit, widest: int) -> int:
    """Return how wide a column may be that is `widest` pixels at the usual size of text.

    Larger text gets a wider one, so that a line holds the same number of words.
    """
    return kit.theme.grown(widest)
