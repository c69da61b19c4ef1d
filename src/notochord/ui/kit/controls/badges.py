"""Small marks: how many wait, what state something is in, and a letter in the place of a picture."""

import zlib

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel

MOST_SHOWN = 99
TINTS = ("accent", "success", "warning", "danger", "code_keyword", "code_name")


class Badge(QWidget):
    """A short word on a soft ground; `tone` is neutral, accent, success, warning or danger."""

    def __init__(self, kit: Kit, text: str, tone: str = "neutral", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_as(text, tone)
        kit.theme.changed.connect(self.updateGeometry)

    @property
    def text(self) -> str:
        return self._text

    def show_as(self, text: str, tone: str = "neutral") -> None:
        """Show another word or tone."""
        self._text = text
        self._tone = tone
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        measure = QFontMetrics(self._kit.theme.font("small", bold=True))
        space = self._kit.theme.space
        return QSize(measure.horizontalAdvance(self._text) + 2 * space.s, measure.height() + space.xs)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        neutral = self._tone == "neutral"
        ground, ink = ("sunken", "text_soft") if neutral else (f"{self._tone}_soft", _ink(self._tone))
        theme = self._kit.theme
        painter = QPainter(self)
        panel(
            painter, self.rect(), self.height() / 2, theme.colour(ground), theme.colour("border") if neutral else None
        )
        painter.setFont(theme.font("small", bold=True))
        painter.setPen(theme.colour(ink))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()


class LetterIcon(QWidget):
    """The first letter of a name on a tint that belongs to `seed`; stands where there is no picture."""

    def __init__(self, kit: Kit, name: str, seed: str, size: int = 36, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._letter = name.strip()[:1].upper() or "·"
        self._tint = TINTS[zlib.crc32(seed.encode()) % len(TINTS)]
        self.setFixedSize(size, size)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        painter = QPainter(self)
        ground = theme.colour(self._tint)
        ground.setAlphaF(0.14)
        panel(painter, self.rect(), theme.tokens.radius.medium + 1, ground)
        font = theme.font(bold=True)
        font.setPixelSize(round(self.height() * 0.46))
        painter.setFont(font)
        painter.setPen(theme.colour(self._tint))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._letter)
        painter.end()


def draw_count(painter: QPainter, kit: Kit, area: QRectF, count: int) -> None:
    """Draw a number on a round ground that grows to its leading side with the number."""
    text = str(count) if count <= MOST_SHOWN else f"{MOST_SHOWN}+"
    font = kit.theme.font("small", bold=True)
    font.setPixelSize(round(area.height() * 0.66))
    painter.setFont(font)
    width = max(area.height(), painter.fontMetrics().horizontalAdvance(text) + area.height() * 0.55)
    ground = QRectF(area.center().x() - width / 2, area.top(), width, area.height())
    panel(painter, ground.adjusted(-1.5, -1.5, 1.5, 1.5), area.height(), kit.theme.colours.background)
    panel(painter, ground, area.height() / 2, kit.theme.colours.accent)
    painter.setPen(kit.theme.colour("on_accent"))
    painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)


def _ink(tone: str) -> str:
    return "link" if tone == "accent" else tone
