"""What the cards of a transcript have in common: a panel with a column, icons, and text as it came."""

import json
from math import ceil

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontDatabase, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from notochord.core.strict_json import decode
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel
from notochord.ui.kit.unseen import escaped, shown

ICON = 16
MOST_LINES = 14
MOST_PRETTY = 100_000
AROUND = 4
"""What the frame and the rounding of heights take from a field."""
MOST_SHOWN = 200_000
"""Characters of a result that are laid out; what is longer is cut, and copied whole by its button."""


class Card(QWidget):
    """A rounded panel; `tone` is neutral, accent, warning or danger."""

    def __init__(self, kit: Kit, parent: QWidget | None = None, tone: str = "neutral") -> None:
        super().__init__(parent)
        self.kit = kit
        self._tone = tone
        space = kit.theme.space
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(space.m, space.s, space.s, space.s)
        self.column.setSpacing(space.s)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        kit.theme.changed.connect(self.update)

    def set_tone(self, tone: str) -> None:
        """Draw the panel in another tone."""
        self._tone = tone
        self.update()

    def row(self) -> QHBoxLayout:
        """Return a new row at the end of the column."""
        row = QHBoxLayout()
        row.setSpacing(self.kit.theme.space.s)
        self.column.addLayout(row)
        return row

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self.kit.theme
        ground = theme.colour("raised" if self._tone == "neutral" else f"{self._tone}_soft")
        line = theme.colour("border" if self._tone == "neutral" else "link" if self._tone == "accent" else self._tone)
        if self._tone != "neutral":
            line.setAlphaF(0.3)
        painter = QPainter(self)
        panel(painter, self.rect(), theme.tokens.radius.large - 2, ground, line)
        painter.end()


class Glyph(QLabel):
    """An icon that is looked at, in a colour of the theme."""

    def __init__(self, kit: Kit, name: str, colour: str = "text_soft", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._name, self._colour = name, colour
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        kit.theme.changed.connect(self._paint_again)
        self._paint_again()

    def show_as(self, name: str, colour: str) -> None:
        """Show another icon or colour."""
        self._name, self._colour = name, colour
        self._paint_again()

    def _paint_again(self) -> None:
        colour = getattr(self._kit.theme.colours, self._colour)
        size = self._kit.theme.grown(ICON)
        self.setFixedSize(size + 2, size + 2)
        self.setPixmap(icon(self._name, colour, size).pixmap(size, size))


def beside_glyph(kit: Kit) -> int:
    """Return how far what stands below the first row of a card begins from its edge: where that row's text does."""
    return kit.theme.grown(ICON) + 2 + kit.theme.space.s


class Source(QPlainTextEdit):
    """Text as it came, with signs for what is not seen, to be read and copied.

    It is at most `lines` high, or with 0 as high as there is room. `prose` is in the letters of the window.
    """

    def __init__(
        self, kit: Kit, name: str, text: str, parent: QWidget | None = None, *, lines: int = MOST_LINES,
        prose: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit, self._lines, self._prose = kit, lines, prose
        kit.theme.changed.connect(self._take_font)
        self._take_font()
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        vertical = QSizePolicy.Policy.Fixed if lines else QSizePolicy.Policy.Expanding
        self.setSizePolicy(QSizePolicy.Policy.Expanding, vertical)
        self.document().setDocumentMargin(kit.theme.space.s)
        self.tell(text)

    def _take_font(self) -> None:
        font = self._kit.theme.font()
        if not self._prose:
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
            font.setPointSizeF(self._kit.theme.font("small").pointSizeF())
        self.setFont(font)
        self._fit()

    def tell(self, text: str) -> None:
        """Show another text."""
        part = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}\n…"
        seen = shown(part, code=True)
        if seen != self.toPlainText():
            self.setPlainText(seen)
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(200, self.height()) if self._lines else super().sizeHint()

    def _fit(self) -> None:
        if not self._lines:
            return
        count, tall = 0, 0.0
        block = self.document().begin()
        while block.isValid() and count < self._lines:
            count += max(1, block.layout().lineCount())
            tall += self.blockBoundingRect(block).height()
            block = block.next()
        tall = min(tall, self._lines * QFontMetrics(self.font()).lineSpacing() + 1)
        height = ceil(tall) + round(self.document().documentMargin()) + AROUND
        if height != self.height():
            self.setFixedHeight(height)
            self.updateGeometry()


def pretty(text: str) -> str:
    """Return JSON on lines of its own; what is none, as it came. Nothing is left out or changed in its meaning."""
    if not text.lstrip().startswith(("{", "[")) or len(text) > MOST_PRETTY:
        return text
    try:
        return escaped(json.dumps(decode(text), ensure_ascii=False, indent=2))
    except ValueError:
        return text
