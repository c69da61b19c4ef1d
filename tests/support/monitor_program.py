"""The main window with a text and a button; tells a JSON line whenever its place, its scale or what was hit changes."""

import json
import sys
from typing import Any

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from notochord.core.sentences import ENGLISH, Sentences
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.theme.theme import Theme, ThemeChoice
from notochord.ui.kit.transcript.entries import Role, TextEntry
from notochord.ui.kit.transcript.parts import TextPart
from notochord.ui.kit.transcript.style import TranscriptStyle, TranscriptTexts
from notochord.ui.kit.transcript.view import Transcript
from notochord.ui.shell.window import MainWindow
from notochord.viewmodels.shell.frame import Frames
from notochord.viewmodels.shell.notices import Notices
from support.runners import HandRunner

WORD = "hippopotamus"
EVERY_MS = 30


class Elsewhere:
    """A window's frame that is kept nowhere."""

    def read(self) -> bytes:
        return b'{"format":1,"area":{"x":60,"y":60,"width":700,"height":500},"maximized":false}'

    def write(self, content: bytes) -> None:
        """Keep nothing."""


class Told:
    """The window, and the last thing that was told of it."""

    def __init__(self, application: QApplication) -> None:
        theme, sentences = Theme(application, ThemeChoice.LIGHT), Sentences.load(ENGLISH)
        self.window = MainWindow(Kit(theme, sentences, HandRunner()), notices=Notices(), frames=Frames(Elsewhere()))
        content = QWidget()
        column = QVBoxLayout(content)
        self.view = Transcript(TranscriptStyle.of(theme), TranscriptTexts.of(sentences))
        column.addWidget(self.view, 1)
        self.button = QPushButton("Press")
        self.button.clicked.connect(self._pressed)
        column.addWidget(self.button)
        self.window.show_content(content)
        self.window.show()
        self.view.load([TextEntry("a", Role.USER, f"one two {WORD} four", who="You")])
        self.presses, self.last = 0, ""
        self.beat = QTimer(self.window, interval=EVERY_MS)
        self.beat.timeout.connect(self.tell)
        self.beat.start()

    def _pressed(self) -> None:
        self.presses += 1

    def tell(self) -> None:
        handle = self.window.windowHandle()
        found: dict[str, Any] = {
            "monitors": sorted(screen.name() for screen in QApplication.screens()),
            "monitor": handle.screen().name(),
            "scale": self.window.devicePixelRatioF(),
            "window": [self.window.x(), self.window.y(), self.window.width(), self.window.height()],
            "button": self._in_window(self.button, self.button.rect().center()),
            "word": self._in_window(self.view.viewport(), self._word()),
            "presses": self.presses,
            "selected": self.view.selected_text(),
        }
        line = json.dumps(found)
        if line != self.last:
            self.last = line
            print(line, flush=True)

    def _in_window(self, widget: QWidget, place: QPoint) -> list[int]:
        found = widget.mapTo(self.window, place)
        return [found.x(), found.y()]

    def _word(self) -> QPoint:
        view = self.view
        for part, top, _ in view.anchor.visible():
            if isinstance(part, TextPart):
                for _, _, piece, y in view.content.placed(part, top):
                    x, below, height = piece.place(piece.text.index(WORD) + 4)
                    return QPoint(round(view.left() + x + 1), round(y + below + height / 2))
        return QPoint()


def main() -> int:
    application = QApplication(sys.argv)
    told = Told(application)
    done = application.exec()
    told.window.deleteLater()
    return done


if __name__ == "__main__":
    sys.exit(main())
