"""What is seen of a file: text, formatted Markdown, a table, a picture, or that it cannot be shown."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QPlainTextEdit, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from notochord.ui.chat.cards.card import Source
from notochord.ui.chat.hostile_pictures import decoded
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.transcript.entries import Role, TextEntry
from notochord.ui.kit.transcript.style import TranscriptStyle, TranscriptTexts
from notochord.ui.kit.transcript.view import Transcript
from notochord.viewmodels.chat.files import Preview, Shown


def make_preview(kit: Kit, preview: Preview) -> QWidget:
    """Return the view of a file."""
    match preview.shown:
        case Shown.MARKDOWN:
            return MarkdownPreview(kit, preview.path, preview.text)
        case Shown.TABLE:
            return _table(kit, preview)
        case Shown.IMAGE:
            return PicturePreview(kit, preview.path, preview.image)
        case Shown.TEXT:
            return _text(kit, preview)
        case Shown.NOTHING:
            return State(kit, kit.text("window.chat.no_preview"), kit.text("window.chat.no_preview_why"))


def _text(kit: Kit, preview: Preview) -> QWidget:
    source = Source(kit, preview.path, preview.text, lines=0)
    source.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
    return source


def _table(kit: Kit, preview: Preview) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    head, body = preview.rows[:1], preview.rows[1:]
    width = max((len(row) for row in preview.rows), default=0)
    table = QTableWidget(len(body), width)
    table.setAccessibleName(preview.path)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.horizontalHeader().setStretchLastSection(True)
    if head:
        table.setHorizontalHeaderLabels([*head[0], *[""] * (width - len(head[0]))])
    for number, row in enumerate(body):
        for place, value in enumerate(row):
            table.setItem(number, place, QTableWidgetItem(value))
    column.addWidget(table, 1)
    if preview.cut:
        column.addWidget(remark(kit, kit.text("window.chat.table_cut", count=len(body))))
    return holder


class MarkdownPreview(Transcript):
    """A formatted text, from its beginning."""

    def __init__(self, kit: Kit, name: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(TranscriptStyle.of(kit.theme), TranscriptTexts.of(kit.sentences), parent)
        self._kit = kit
        self.setAccessibleName(name)
        self.load([TextEntry("file", Role.ASSISTANT, text)])
        self.anchor.to_start()
        kit.theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.set_style(TranscriptStyle.of(self._kit.theme))


class PicturePreview(QWidget):
    """A picture, never larger than it is; decoded at no more pixels than are needed."""

    def __init__(self, kit: Kit, name: str, content: bytes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._image = decoded(content)
        if self._image.isNull():
            column = QVBoxLayout(self)
            column.addWidget(Label(kit, kit.text("window.chat.no_preview"), colour="text_soft"))
            column.addStretch(1)

    def paintEvent(self, _: QPaintEvent) -> None:
        if self._image.isNull():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self._image.size()
        if size.width() > self.width() or size.height() > self.height():
            size = size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRect((self.width() - size.width()) // 2, 0, size.width(), size.height())
        painter.drawImage(place, self._image)
        painter.end()
