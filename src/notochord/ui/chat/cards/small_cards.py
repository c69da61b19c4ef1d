"""The files of a message, the divider of a summary, and the line about what went back."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.core.sentences import joined
from notochord.ui.chat.cards.card import Glyph, Source
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.wrap import Wrap
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.unseen import shown
from notochord.viewmodels.chat.pieces import Attached, SummedUp, WentBack

MOST_FILES = 40
MOST_NAMES = 6


class AttachedCard(QWidget):
    """A button for each file; it is shown in the panel of files."""

    def __init__(self, kit: Kit, piece: Attached, show: Callable[[str], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(kit.text("window.chat.attachments"))
        row = Wrap(self, gap=kit.theme.space.s)
        for name in piece.names[:MOST_FILES]:
            short = shown(name if len(name) <= 40 else f"{name[:24]}…{name[-12:]}", code=True)
            row.addWidget(Button(kit, short, partial(show, name), icon_name="file"))
        if len(piece.names) > MOST_FILES:
            more = kit.text("window.chat.more_files", count=len(piece.names) - MOST_FILES)
            row.addWidget(Label(kit, more, colour="text_soft"))


class SummaryCard(QWidget):
    """A line across, and the summary when it is asked for."""

    def __init__(
        self, kit: Kit, piece: SummedUp, unfolded: Callable[[str, bool], None], *, open: bool,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit, self._piece, self._unfolded, self._open = kit, piece, unfolded, open
        space = kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.s)
        row = QHBoxLayout()
        row.addStretch(1)
        self.button = Button(kit, kit.text("window.chat.summed_up"), self._toggle, icon_name="list")
        row.addWidget(self.button)
        row.addStretch(1)
        column.addLayout(row)
        self.summary = Source(kit, kit.text("window.chat.summary"), piece.text, prose=True)
        column.addWidget(self.summary)
        self.summary.setVisible(open)
        self.setAccessibleName(kit.text("window.chat.summed_up"))
        kit.theme.changed.connect(self.update)

    def _toggle(self) -> None:
        self._open = not self._open
        self.summary.setVisible(self._open)
        self._unfolded(self._piece.key, self._open)
        self.updateGeometry()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the line at both sides of the button."""
        theme, middle = self._kit.theme, self.button.geometry().center().y()
        gap = theme.space.m
        painter = QPainter(self)
        painter.setPen(theme.colour("border"))
        painter.drawLine(0, middle, self.button.x() - gap, middle)
        painter.drawLine(self.button.geometry().right() + gap, middle, self.width(), middle)
        painter.end()


class WentBackLine(QWidget):
    """A quiet line: what went back with the answer that was left, and what did not."""

    def __init__(self, kit: Kit, piece: WentBack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(kit.theme.space.m, 0, kit.theme.space.m, 0)
        row.setSpacing(kit.theme.space.s)
        left = bool(piece.files_left or piece.records_left)
        glyph = Glyph(kit, "undo", "warning" if left else "text_soft")
        row.addWidget(glyph, 0, Qt.AlignmentFlag.AlignTop)
        self.sentence = Label(kit, went_back_text(kit, piece), size="small", colour="text_soft", selectable=True)
        row.addWidget(self.sentence, 1)
        self.setAccessibleName(self.sentence.text())


def went_back_text(kit: Kit, piece: WentBack) -> str:
    """Return the sentences of what went back and what stayed."""
    text, told = kit.text, list[str]()
    if piece.files:
        told.append(text("window.chat.files_back", names=_names(piece.files), count=len(piece.files)))
    if piece.records:
        told.append(text("window.chat.records_back", count=piece.records))
    for key, names in (("files_left", piece.files_left), ("records_left", piece.records_left)):
        if names:
            told.append(text(f"window.chat.{key}", names=_names(names), count=len(names)))
    return joined(told)


def _names(names: tuple[str, ...]) -> str:
    seen = ", ".join(shown(name, code=True) for name in names[:MOST_NAMES])
    return f"{seen} …" if len(names) > MOST_NAMES else seen
