"""A bar that tells something about the pane it stands in: information, success, a warning, a failure."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel

LOOKS = {
    "info": ("info", "accent_soft", "link"),
    "success": ("check", "success_soft", "success"),
    "warning": ("warning", "warning_soft", "warning"),
    "error": ("warning", "danger_soft", "danger"),
}
ICON = 18
FIRST_LINE = 26
"""The height of the button that closes: icon, first line and button stand on one level."""


class NoticeBar(QWidget):
    """A sentence with up to one action and, if `on_close` is given, a button that takes it away.

    `kind` is info, success, warning or error. It is read out as an alert when it appears.
    """

    def __init__(
        self, kit: Kit, text: str, kind: str = "info", parent: QWidget | None = None, *, action: str = "",
        on_action: Callable[[], None] | None = None, on_close: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self._kind = kind
        space = kit.theme.space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.m, space.s, space.s, space.s)
        row.setSpacing(space.s)
        self._glyph = QLabel()
        row.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        middle = QVBoxLayout()
        middle.setSpacing(space.s)
        self.label = Label(kit, text, selectable=True)
        self.label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        middle.addWidget(self.label)
        self.button: Button | None = None
        if action:
            self.button = Button(kit, action, on_action)
            middle.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeading)
        row.addLayout(middle, 1)
        if on_close:
            close = IconButton(kit, "close", kit.text("window.kit.close"), on_close, size=16)
            row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(text)
        kit.theme.changed.connect(self._paint_again)
        self._paint_again()

    def tell(self, text: str, kind: str | None = None) -> None:
        """Tell something else, or in another kind."""
        self._kind = kind or self._kind
        self.label.setText(text)
        self.setAccessibleName(text)
        self._paint_again()

    def paintEvent(self, _: QPaintEvent) -> None:
        _name, ground, ink = LOOKS[self._kind]
        line = self._kit.theme.colour(ink)
        line.setAlphaF(0.28)
        painter = QPainter(self)
        panel(painter, self.rect(), self._kit.theme.tokens.radius.medium, self._kit.theme.colour(ground), line)
        painter.end()

    def _paint_again(self) -> None:
        name, _ground, ink = LOOKS[self._kind]
        line = self._kit.theme.line_height()
        height = max(FIRST_LINE, line)
        self.label.setContentsMargins(0, (height - line) // 2, 0, (height - line) // 2)
        side = self._kit.theme.grown(ICON)
        self._glyph.setPixmap(icon(name, getattr(self._kit.theme.colours, ink), side).pixmap(side, side))
        self._glyph.setFixedHeight(height)
        self.update()
