"""Formatted text in a card: as high as it is, and from some height on with a bar to scroll it."""

from collections.abc import Callable
from dataclasses import replace
from math import ceil

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.kit.transcript.entries import Role, TextEntry
from notochord.ui.kit.transcript.style import TranscriptStyle, TranscriptTexts
from notochord.ui.kit.transcript.view import Transcript

LINES = 30
_ENTRY = "text"


class Formatted(Transcript):
    """Shows Markdown as the transcript does, from its beginning."""

    def __init__(
        self, kit: Kit, name: str, text: str, *, open_link: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(_style(kit), TranscriptTexts.of(kit.sentences), parent)
        self._kit = kit
        self._text = ""
        self.anchor.air = float(kit.theme.space.xs)
        self.viewport().setAutoFillBackground(False)  # the card's own ground
        self.setAccessibleName(name)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.link_activated.connect(open_link)
        kit.theme.changed.connect(self._restyle)
        self.tell(text)

    def tell(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self.load([TextEntry(_ENTRY, Role.ASSISTANT, text)])
            self.anchor.to_start()
            self._fit()

    def text(self) -> str:
        """Return the text as it came."""
        return self._text

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what stands around where there is nothing to scroll here."""
        bar, down = self.verticalScrollBar(), event.angleDelta().y() < 0
        if bar.value() == (bar.maximum() if down else 0):
            event.ignore()
        else:
            super().wheelEvent(event)

    def _column(self) -> float:
        """Take all the width there is: the card has margins of its own."""
        return float(max(1, self.viewport().width()))

    def _fit(self) -> None:
        """Take the height of the text; no more of it is laid out than is needed to know."""
        most, tall = LINES * self._kit.theme.line_height(), self.anchor.air
        for index in range(self.content.count):
            tall += self.content.measure(index)
            if tall > most:
                break
        height = ceil(min(tall, most))
        if height != self.height():
            self.setFixedHeight(height)
            self.updateGeometry()

    def _restyle(self) -> None:
        self.set_style(_style(self._kit))
        self._fit()


def _style(kit: Kit) -> TranscriptStyle:
    return replace(TranscriptStyle.of(kit.theme), message_gap=kit.theme.space.xs, background="transparent")
