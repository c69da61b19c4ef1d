"""A transcript in a window, and what its tests ask of it."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QPointF
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notochord.core.sentences import ENGLISH, Sentences
from notochord.ui.kit.transcript.entries import Entry, Role, TextEntry
from notochord.ui.kit.transcript.parts import TextPart
from notochord.ui.kit.transcript.pieces.piece import Piece
from notochord.ui.kit.transcript.style import TranscriptStyle, TranscriptTexts
from notochord.ui.kit.transcript.view import Transcript
from support.patient_bot import PATIENCE


class Bench:
    """One view under test."""

    def __init__(self, qtbot: QtBot, style: TranscriptStyle) -> None:
        self.qtbot = qtbot
        self.style = style
        self.views: list[Transcript] = []
        self.view = self.make([])

    def make(self, entries: Iterable[Entry]) -> Transcript:
        """Another view with these entries, 900 by 800."""
        view = Transcript(self.style, TranscriptTexts.of(Sentences.load(ENGLISH)))
        self.views.append(view)
        view.resize(900, 800)
        with self.qtbot.waitExposed(view, timeout=PATIENCE):
            view.show()
        view.load(entries)
        return view

    def load(self, *entries: Entry | str) -> Transcript:
        """Show these; a string is an answer."""
        self.view.load(
            TextEntry(f"e{n}", Role.ASSISTANT, entry, who="A") if isinstance(entry, str) else entry
            for n, entry in enumerate(entries)
        )
        self.settle()
        return self.view

    def settle(self, view: Transcript | None = None) -> None:
        """Wait until everything is coloured and shown."""
        view = view or self.view
        self.qtbot.waitUntil(lambda: view.lexing.idle and view.streaming.idle)
        QApplication.processEvents()

    def picture(self, view: Transcript | None = None) -> QImage:
        """What is painted, without the widgets over it."""
        view = view or self.view
        picture = QImage(view.viewport().size(), QImage.Format.Format_RGB32)
        view.viewport().render(picture)
        return picture

    def pieces(self) -> list[tuple[Piece, float]]:
        """The pieces in view and their upper edges."""
        found = []
        for part, top, _ in self.view.anchor.visible():
            if isinstance(part, TextPart):
                found += [(piece, y) for _, _, piece, y in self.view.content.placed(part, top)]
        return found

    def point(self, piece: Piece, position: int) -> QPointF:
        """Where a character of a piece in view is, in the viewport."""
        y = next(y for found, y in self.pieces() if found is piece)
        x, below, height = piece.place(position)
        return QPointF(self.view.left() + x + 1, y + below + height / 2)

    def close(self) -> None:
        """Leave nothing behind."""
        for view in self.views:
            view.close()
            view.deleteLater()
        self.views.clear()
        del self.view
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
