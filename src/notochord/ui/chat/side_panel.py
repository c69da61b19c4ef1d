"""The frame of a panel beside the conversation: a heading, a cross, a line at its edge."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from notochord.ui.kit.controls.buttons import IconButton
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.lead import Lead
from notochord.ui.kit.kit import Kit

NARROWEST = 260


class SidePanel(Lead):
    """Escape closes it. `back` leads from a detail to the list, and is out of sight in the list."""

    def __init__(self, kit: Kit, heading: str, close: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kit = kit
        self._close = close
        self.setMinimumWidth(NARROWEST)
        self.setAccessibleName(heading)
        space, text = kit.theme.space, kit.text
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(space.m, space.s, space.s, space.s)
        self.column.setSpacing(space.s)
        row = QHBoxLayout()
        row.setSpacing(space.xs)
        self.back = IconButton(kit, "chevron-left", text("window.chat.back"), self.go_back)
        self.back.hide()
        row.addWidget(self.back)
        self.heading = ElidedLabel(kit, heading, bold=True)
        row.addWidget(self.heading, 1)
        self.close_button = IconButton(kit, "close", text("window.kit.close"), close)
        self.tools = QHBoxLayout()
        self.tools.setSpacing(0)
        row.addLayout(self.tools)
        row.addWidget(self.close_button)
        self.column.addLayout(row)
        self.lead_to(self.close_button)
        kit.theme.changed.connect(self.update)

    def go_back(self) -> None:
        """Go from a detail to the list."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See the class."""
        if event.key() == Qt.Key.Key_Escape:
            self.go_back() if self.back.isVisible() else self._close()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.kit.theme.colour("background"))
        right_to_left = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        edge = self.width() - 1 if right_to_left else 0
        painter.setPen(self.kit.theme.colour("border"))
        painter.drawLine(edge, 0, edge, self.height())
        painter.end()


class Scroll(QScrollArea):
    """A column that scrolls and shows the ground behind it."""

    def __init__(self, kit: Kit, name: str) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)
        inner = QWidget()
        inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.content = QVBoxLayout(inner)
        self.content.setContentsMargins(0, 0, kit.theme.space.xs, 0)
        self.content.setSpacing(kit.theme.space.xs)
        self.setWidget(inner)
        inner.setAutoFillBackground(False)
