"""The fields of a form: as high as they need, and scrolled where the screen is lower than the form."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from notochord.ui.kit.focus_in_view import FocusInView
from notochord.ui.kit.kit import Kit

LEAST = 120
"""Pixels of a form that are seen in any case."""


class SheetBody(QScrollArea):
    """Put fields into `column`; `changed` is called when they may need another height."""

    def __init__(self, kit: Kit, changed: Callable[[], None]) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        FocusInView(self)
        content = _Content(changed)
        self.column = QVBoxLayout(content)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(kit.theme.space.m)
        self.setWidget(content)
        self.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)

    def wanted(self, width: int) -> int:
        """Return the height that all fields need in this width."""
        if not self.column.count():
            return 0
        return max(self.column.totalHeightForWidth(width), 0) or self.column.sizeHint().height()


class _Content(QWidget):
    def __init__(self, changed: Callable[[], None]) -> None:
        super().__init__()
        self._changed = changed

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self._changed()
        return done
