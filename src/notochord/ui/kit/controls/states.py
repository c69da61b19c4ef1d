"""The states that every pane has beside its content: empty, loading, failed, offline."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, heading, remark
from notochord.ui.kit.kit import Kit

WIDEST = 420


class State(QWidget):
    """A heading, a sentence and up to one button in the middle of a pane; `busy` shows that something goes on."""

    def __init__(
        self, kit: Kit, text: str, explanation: str = "", parent: QWidget | None = None, *,
        action: str = "", on_action: Callable[[], None] | None = None, busy: bool = False, failed: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        space = kit.theme.space
        outer = QHBoxLayout(self)
        outer.setContentsMargins(space.xl, space.xl, space.xl, space.xl)
        middle = QWidget()
        middle.setMaximumWidth(WIDEST)
        outer.addStretch(1)
        outer.addWidget(middle, 1000)
        outer.addStretch(1)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.s)
        column.addStretch(1)
        self.heading: Label = heading(kit, text, self)
        if failed:
            self.heading.set_colour("danger")
        self.explanation: Label = remark(kit, explanation, self)
        self.explanation.setVisible(bool(explanation))
        for label in (self.heading, self.explanation):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        if busy:
            bar = QProgressBar()
            bar.setRange(0, 0)
            bar.setFixedWidth(WIDEST // 2)
            bar.setTextVisible(False)
            bar.setAccessibleName(text)
            column.addWidget(bar, 0, Qt.AlignmentFlag.AlignHCenter)
        if action:
            column.addSpacing(space.s)
            self.button = Button(kit, action, on_action)
            column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
