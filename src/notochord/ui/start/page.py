"""The page that every start screen is written on: a readable column in the middle, and buttons below that stay."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from notochord.ui.kit.controls.middle import Middle
from notochord.ui.kit.focus_in_view import FocusInView
from notochord.ui.kit.kit import Kit

WIDEST = 640


class StartPage(QWidget):
    """`column` scrolls if the window is small; `buttons` is the row below, its stretch put in by whoever fills it."""

    def __init__(self, kit: Kit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = kit.theme.space
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        self.area = _Area(self._follow_bar)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        FocusInView(self.area)
        self.column = QVBoxLayout()
        self.column.setContentsMargins(0, space.xxl, 0, space.xl)
        self.column.setSpacing(space.l)
        self.area.setWidget(Middle(kit, self.column, widest=WIDEST))
        outer.addWidget(self.area, 1)
        self.buttons = QHBoxLayout()
        self.buttons.setContentsMargins(0, space.l, 0, space.xl)
        self.buttons.setSpacing(space.s)
        self._below = Middle(kit, self.buttons, widest=WIDEST)
        outer.addWidget(self._below)

    def _follow_bar(self, width: int) -> None:
        """Keep the buttons in line with the column while a scroll bar takes from its room."""
        self._below.setContentsMargins(0, 0, width, 0)


class _Area(QScrollArea):
    """Tells how much of its width the scroll bar takes."""

    def __init__(self, told: Callable[[int], None]) -> None:
        super().__init__()
        self._told = told

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._told(self.width() - self.viewport().width())


class Pages(QWidget):
    """Shows one of its widgets at a time, as high as that one is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._shown: QWidget | None = None

    @property
    def shown(self) -> QWidget | None:
        return self._shown

    def hold(self, page: QWidget) -> None:
        """Keep a widget that is not shown yet."""
        if self._column.indexOf(page) < 0:
            page.hide()
            self._column.addWidget(page)

    def show_page(self, page: QWidget) -> None:
        """Show this widget in place of the one before, which stays for later."""
        if self._shown is page:
            return
        if self._shown is not None:
            self._shown.hide()
        self.hold(page)
        page.show()
        self._shown = page
