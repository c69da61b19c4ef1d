"""Asks before something is destroyed, and names what."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from notochord.ui.kit.breakable import breakable
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, heading
from notochord.ui.kit.kit import Kit

WIDTH = 440


class Confirm(QDialog):
    """A question with two answers; `open()` it and it destroys itself afterwards.

    With `typed`, the name of what is destroyed has to be typed before the button can be pressed. The button that does
    no harm has the keyboard first.
    """

    def __init__(
        self, kit: Kit, parent: QWidget, question: str, explanation: str, act: str, on_confirm: Callable[[], None], *,
        typed: str = "", danger: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._typed = typed
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(question)
        self.setAccessibleName(question)
        self.setModal(True)
        space = kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(space.xl, space.xl, space.xl, space.l)
        column.setSpacing(space.s)
        for label in (heading(kit, breakable(question)), Label(kit, breakable(explanation), colour="text_soft")):
            label.setFixedWidth(WIDTH)
            column.addWidget(label)
        self.field: QLineEdit | None = None
        if typed:
            prompt = kit.text("window.kit.type_name", name=typed)
            column.addSpacing(space.s)
            column.addWidget(Label(kit, breakable(prompt)))
            self.field = QLineEdit()
            self.field.setAccessibleName(prompt)
            self.field.textChanged.connect(self._compare)
            column.addWidget(self.field)
        column.addSpacing(space.m)
        row = QHBoxLayout()
        row.addStretch(1)
        self.cancel = Button(kit, kit.text("window.kit.cancel"), self.reject)
        self.act = Button(kit, act, self.accept, danger=danger, primary=not danger)
        self.act.setEnabled(not typed)
        row.addWidget(self.cancel)
        row.addWidget(self.act)
        column.addLayout(row)
        self.accepted.connect(on_confirm)
        (self.field or self.cancel).setFocus(Qt.FocusReason.OtherFocusReason)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)

    def _compare(self, text: str) -> None:
        self.act.setEnabled(text.strip() == self._typed.strip())
