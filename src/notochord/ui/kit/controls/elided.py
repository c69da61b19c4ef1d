"""One line of text that gives way: an ellipsis where there is no room, and all of it in the tool tip."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.kit.unseen import shown


class ElidedLabel(QWidget):
    """Plain text on one line; `middle` keeps both ends in sight, as for paths."""

    def __init__(
        self, kit: Kit, text: str, parent: QWidget | None = None, *, size: str = "body", bold: bool = False,
        colour: str = "text", middle: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self._size = size
        self._bold = bold
        self._colour = colour
        self._mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setText(text)
        kit.theme.changed.connect(self.updateGeometry)

    def text(self) -> str:
        """Return the whole text."""
        return self._text

    def setText(self, text: str) -> None:
        """Show another text; line breaks become blanks."""
        self._text = shown(" ".join(text.split()))
        self.setAccessibleName(self._text)
        self.updateGeometry()
        self.update()

    def set_colour(self, colour: str) -> None:
        """Show the text in another colour of the theme."""
        self._colour = colour
        self.update()

    def sizeHint(self) -> QSize:
        measure = self._measure()
        return QSize(measure.horizontalAdvance(self._text) + 2, self._kit.theme.line_height(self._size))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._measure().horizontalAdvance("…"), self._kit.theme.line_height(self._size))

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        fits = self._measure().elidedText(self._text, self._mode, self.width())
        self.setToolTip(self._text if fits != self._text else "")
        painter = QPainter(self)
        painter.setFont(theme.font(self._size, bold=self._bold))
        painter.setPen(theme.colour(self._colour if self.isEnabled() else "text_disabled"))
        align = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), align | Qt.TextFlag.TextSingleLine, fits)
        painter.end()

    def _measure(self) -> QFontMetrics:
        return QFontMetrics(self._kit.theme.font(self._size, bold=self._bold))
