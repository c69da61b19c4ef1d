"""What can be done with one message: the strip that appears over it."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from notochord.ui.kit.controls.buttons import IconButton
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel
from notochord.viewmodels.chat.pieces import Said, Who


@dataclass(frozen=True, slots=True)
class MessageActs:
    """What the strip of one message does; what cannot be done there is None."""

    copy: Callable[[], None]
    edit: Callable[[], None] | None
    retry: Callable[[], None] | None
    go: Callable[[int], None]


class MessageActions(QWidget):
    """Copy, edit, retry, and the way to the message's alternatives; while an answer is under way only copy."""

    def __init__(self, kit: Kit, piece: Said, acts: MessageActs, *, idle: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        text = kit.text
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(2, 2, 2, 2)
        self._row.setSpacing(0)
        self.copy = self._button("copy", text("window.chat.copy"), acts.copy)
        if idle and piece.who is Who.USER and acts.edit is not None:
            self.edit = self._button("edit", text("window.chat.edit"), acts.edit)
        if idle and acts.retry is not None:
            self.retry = self._button("retry", text("window.chat.retry"), acts.retry)
        if idle and len(piece.siblings) > 1 and piece.among in piece.siblings:
            at = piece.siblings.index(piece.among)
            self.previous = self._button("chevron-left", text("window.chat.branch_previous"), lambda: acts.go(-1))
            self.previous.setEnabled(at > 0)
            place = Label(kit, f"{at + 1}/{len(piece.siblings)}", size="small", colour="text_soft")
            place.setWordWrap(False)
            self._row.addWidget(place)
            self.next = self._button("chevron-right", text("window.chat.branch_next"), lambda: acts.go(1))
            self.next.setEnabled(at < len(piece.siblings) - 1)

    def _button(self, icon_name: str, name: str, act: Callable[[], None]) -> IconButton:
        button = IconButton(self._kit, icon_name, name, act, size=15)
        self._row.addWidget(button)
        return button

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        painter = QPainter(self)
        panel(painter, self.rect(), theme.tokens.radius.medium, theme.colour("popup"), theme.colour("border"))
        painter.end()
