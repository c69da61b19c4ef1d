"""The field where a message is written; it survives input methods, and takes files, pictures and long texts."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QImage, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from notochord.ui.kit.kit import Kit

MOST_LINES = 12
PICTURE_KINDS = ("png", "jpeg", "webp", "gif", "bmp")
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@dataclass(frozen=True, slots=True)
class EditActs:
    """What happens in the field. `takes_text` tells whether a pasted text is taken as a file.

    `picture_file` gets a picture that is too large to be decoded as its file and the file's ending, or nothing when
    there is none that could be had.
    """

    send: Callable[[], None]
    files: Callable[[list[Path]], None]
    image: Callable[[QImage], None]
    picture_file: Callable[[bytes, str], None]
    takes_text: Callable[[str], bool]
    recall: Callable[[], None]


class MessageEdit(QPlainTextEdit):
    """Enter sends, or Ctrl+Enter; never the Enter that ends a composition (faults D4 and D5). Tab leaves the field."""

    def __init__(self, kit: Kit, acts: EditActs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._acts = acts
        self.send_with_control = False
        self._preedit = ""
        self._guard = QTimer(self)
        self._guard.setSingleShot(True)
        self._guard.setInterval(0)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(kit.text("window.chat.message"))
        self.document().setDocumentMargin(kit.theme.space.xs)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())
        self.textChanged.connect(self._fit)  # letters of another script make a line higher
        self._fit()

    def show_hint(self, text: str) -> None:
        """Show this while nothing is written; Qt alone paints another hint only when the text changes."""
        self.setPlaceholderText(text)
        self.viewport().update()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember what is being composed: the Enter that ends it may still follow as a key in the same turn."""
        had = bool(self._preedit)
        self._preedit = event.preeditString()
        super().inputMethodEvent(event)
        if had and not self._preedit:
            self._guard.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send, begin a line, or take the last message back into the empty field with the arrow up."""
        if event.key() in _ENTER and self._composing:
            event.accept()
        elif event.key() in _ENTER and self._sends(event):
            event.accept()
            if not event.isAutoRepeat():
                self._acts.send()
        elif event.key() in _ENTER:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
        elif event.key() == Qt.Key.Key_Up and not event.modifiers() and self.document().isEmpty():
            self._acts.recall()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Fit a text of another size; an empty field has no text whose size would tell of it."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Let the ground around show where the keyboard is."""
        super().focusInEvent(event)
        self._update_ground()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """See `focusInEvent`."""
        super().focusOutEvent(event)
        self._update_ground()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Take files and pictures too."""
        return source.hasUrls() or source.hasImage() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Attach files, pictures and long texts; insert all else as plain text."""
        if not take_files(source, self._acts):
            text = source.text()
            if not self._acts.takes_text(text):
                self.insertPlainText(text)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.height())

    def _update_ground(self) -> None:
        if (ground := self.parentWidget()) is not None:
            ground.update()

    @property
    def _composing(self) -> bool:
        return bool(self._preedit) or self._guard.isActive()

    def _sends(self, event: QKeyEvent) -> bool:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers == Qt.KeyboardModifier.ControlModifier:
            return True
        return not self.send_with_control and modifiers == Qt.KeyboardModifier.NoModifier

    def _fit(self) -> None:
        """Be as high as the text, up to some lines."""
        tall, lines, block = 0.0, 0, self.document().begin()
        while block.isValid() and lines < MOST_LINES:
            self.blockBoundingRect(block)  # lays it out
            for at in range(min(block.layout().lineCount(), MOST_LINES - lines)):
                tall, lines = tall + block.layout().lineAt(at).height(), lines + 1
            block = block.next()
        tall = max(ceil(tall), self._kit.theme.line_height())  # as high empty as with anything in it
        height = tall + 2 * round(self.document().documentMargin()) + 2
        if height != self.height():
            self.setFixedHeight(height)
            self.updateGeometry()


def take_files(source: QMimeData, acts: EditActs) -> bool:
    """Take the files or the picture of a paste or a drop; tell whether there were any."""
    files = [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()]
    if files:
        acts.files(files)
        return True
    if source.hasImage() and not source.hasText():
        image = source.imageData()
        if isinstance(image, QImage) and not image.isNull():
            acts.image(image)
        else:
            acts.picture_file(*_as_file(source))
        return True
    return False


def _as_file(source: QMimeData) -> tuple[bytes, str]:
    """Return a picture as it came with the ending of its kind, both empty when it came in none that is known."""
    for kind in PICTURE_KINDS:
        if source.hasFormat(f"image/{kind}") and (content := bytes(source.data(f"image/{kind}").data())):
            return content, kind
    return b"", ""
