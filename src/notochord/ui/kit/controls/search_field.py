"""A field to search with: a magnifier, a hint, and a cross that empties it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit


class SearchField(QLineEdit):
    """Tells `on_change` each new text; Escape empties it before it means anything else, unless it `closes` at once."""

    def __init__(
        self, kit: Kit, hint: str, on_change: Callable[[str], None] | None = None, parent: QWidget | None = None, *,
        closes: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self._closes = closes
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        self.setMaxLength(500)
        self._glass = QAction(hint, self)  # a button for assistive technology, which needs a name and something to do
        self._glass.triggered.connect(lambda: self.setFocus())
        self.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(kit.text("window.kit.clear"), self)
        self._clear.triggered.connect(self.clear)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        self._clear.setVisible(False)
        if on_change:
            self.textChanged.connect(lambda text: on_change(text))
        kit.theme.changed.connect(self._paint_again)
        self._paint_again()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text() and not self._closes:
            self.clear()
            return
        super().keyPressEvent(event)

    def _paint_again(self) -> None:
        self._glass.setIcon(icon("search", self._kit.theme.colours.text_soft, 16))
        self._clear.setIcon(icon("close", self._kit.theme.colours.text_soft, 16))
