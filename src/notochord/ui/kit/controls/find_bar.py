"""Finds in what a pane shows: a field, how many places there are, back and forth."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from notochord.ui.kit.controls.buttons import IconButton
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.search_field import SearchField
from notochord.ui.kit.enter import ENTER
from notochord.ui.kit.kit import Kit


class Findable(Protocol):
    """What can be searched; `found` tells which place is shown (from 1), how many there are, whether that is all."""

    @property
    def found(self) -> SignalInstance: ...

    def find_text(self, text: str) -> None:
        """Show the first place with this text; an empty one ends the search."""

    def find_next(self) -> None: ...

    def find_previous(self) -> None: ...


class FindBar(QWidget):
    """Enter goes on, Shift+Enter back, Escape closes. `hint` says where is searched."""

    def __init__(
        self, kit: Kit, searched: Findable, closed: Callable[[], None], hint: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kit, self._searched, self._closed = kit, searched, closed
        space, text = kit.theme.space, kit.text
        row = QHBoxLayout(self)
        row.setContentsMargins(space.xl, space.xs, space.m, space.xs)
        row.setSpacing(space.xs)
        self.field = SearchField(kit, hint, searched.find_text, closes=True)
        row.addWidget(self.field, 1)
        self.count = Label(kit, "", size="small", colour="text_soft")
        self.count.setWordWrap(False)
        row.addWidget(self.count)
        self.previous = IconButton(kit, "chevron-up", text("window.chat.find_previous"), searched.find_previous)
        self.next = IconButton(kit, "chevron-down", text("window.chat.find_next"), searched.find_next)
        self.close_button = IconButton(kit, "close", text("window.kit.close"), self.end)
        for button in (self.previous, self.next, self.close_button):
            row.addWidget(button)
        searched.found.connect(self._tell)
        self.hide()

    def begin(self) -> None:
        """Show the bar with the keyboard in it."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        if self.field.text():
            self._searched.find_text(self.field.text())

    def end(self) -> None:
        """Hide the bar and forget the search."""
        self.hide()
        self._searched.find_text("")
        self._closed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See the class."""
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        elif event.key() in ENTER:
            (self._searched.find_previous if back else self._searched.find_next)()
        else:
            super().keyPressEvent(event)

    def _tell(self, number: int, total: int, complete: bool) -> None:
        if not self.field.text():
            self.count.setText("")
        elif not total and complete:
            self.count.setText(self._kit.text("window.chat.find_nothing"))
        else:
            self.count.setText(f"{number}/{total}{'' if complete else '+'}")
        for button in (self.previous, self.next):
            button.setEnabled(bool(total))
