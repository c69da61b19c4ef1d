"""The files that are sent along, and the messages that wait: each can be taken back."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QVBoxLayout, QWidget

from notochord.ui.chat.cards.card import Glyph
from notochord.ui.chat.wording import file_size
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.wrap import Wrap
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel
from notochord.ui.kit.unseen import shown
from notochord.viewmodels.chat.composer import Attachment, Composer
from notochord.viewmodels.chat.desk import Writing

CHIP_WIDTH = 220
MOST_CHIPS = 12
MOST_WAITING = 5


class Chip(QWidget):
    """A file with its size and a cross."""

    def __init__(self, kit: Kit, attachment: Attachment, remove: Callable[[], None]) -> None:
        super().__init__()
        self._kit = kit
        space = kit.theme.space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.s, 2, 2, 2)
        row.setSpacing(space.xs)
        row.addWidget(Glyph(kit, "image" if attachment.is_image else "file"))
        row.addWidget(ElidedLabel(kit, shown(attachment.name, code=True), middle=True))
        size = Label(kit, file_size(kit, attachment.size), size="small", colour="text_soft")
        size.setWordWrap(False)
        row.addWidget(size)
        self.remove = IconButton(kit, "close", kit.text("window.chat.detach", name=attachment.name), remove, size=14)
        row.addWidget(self.remove)
        self.setMaximumWidth(CHIP_WIDTH)
        self.setToolTip(str(attachment.path))
        kit.theme.changed.connect(self.update)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        painter = QPainter(self)
        panel(painter, self.rect(), theme.tokens.radius.medium, theme.colour("sunken"), theme.colour("border"))
        painter.end()


class AttachmentsRow(QWidget):
    """A chip for each file, in as many lines as they need; out of sight without any.

    `leave` takes the keyboard when the last file that it was on is taken out.
    """

    def __init__(self, kit: Kit, composer: Composer, leave: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._composer, self._leave = kit, composer, leave
        self._row = Wrap(self, gap=kit.theme.space.s)
        self.chips: list[Chip] = []
        bind_list(self, composer.attachments, self._show)
        bind(self, composer.taking_in, lambda _: self._show())

    def _show(self) -> None:
        at = next((at for at, chip in enumerate(self.chips) if chip.remove.hasFocus()), -1)
        empty(self._row)
        self.chips = [
            Chip(self._kit, attachment, partial(self._composer.detach, attachment))
            for attachment in self._composer.attachments[:MOST_CHIPS]
        ]
        for chip in self.chips:
            self._row.addWidget(chip)
        more = len(self._composer.attachments) - len(self.chips)
        if more > 0:
            self._row.addWidget(Label(self._kit, self._kit.text("window.chat.more_files", count=more)))
        if self._composer.taking_in.value:
            self._row.addWidget(Label(self._kit, self._kit.text("window.chat.taking_in"), colour="text_soft"))
        self.setVisible(bool(self.chips) or bool(self._composer.taking_in.value))
        if at >= 0 and self.chips:
            self.chips[min(at, len(self.chips) - 1)].remove.setFocus()
        elif at >= 0:
            self._leave()


class QueueView(QWidget):
    """The messages that wait for the answer under way; when something failed, the user lets them go on."""

    def __init__(self, kit: Kit, writing: Writing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._writing = kit, writing
        self.setAccessibleName(kit.text("window.chat.queue"))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        bind_list(self, writing.outbox.queue, self._show)
        bind(self, writing.outbox.held, lambda _: self._show())

    def _show(self) -> None:
        empty(self._column)
        queue, text = self._writing.outbox.queue, self._kit.text
        for message in queue[:MOST_WAITING]:
            self._column.addWidget(self._line(message.key, message.text, len(message.attachments)))
        if len(queue) > MOST_WAITING:
            more = text("window.chat.more_waiting", count=len(queue) - MOST_WAITING)
            self._column.addWidget(Label(self._kit, more, colour="text_soft"))
        if queue and self._writing.outbox.held.value:
            row = QWidget()
            inner = QHBoxLayout(row)
            inner.setContentsMargins(0, 0, 0, 0)
            inner.addWidget(Label(self._kit, text("window.chat.queue_held"), colour="text_soft"), 1)
            inner.addWidget(Button(self._kit, text("window.chat.queue_resume"), self._writing.outbox.resume))
            self._column.addWidget(row)
        self.setVisible(bool(queue))

    def _line(self, key: int, message: str, files: int) -> QWidget:
        line, text = QWidget(), self._kit.text
        row = QHBoxLayout(line)
        row.setContentsMargins(self._kit.theme.space.s, 0, 0, 0)
        row.setSpacing(self._kit.theme.space.xs)
        row.addWidget(Glyph(self._kit, "clock"))
        shown = message.strip() or text("window.chat.only_files", count=files)
        row.addWidget(ElidedLabel(self._kit, shown[:500], colour="text_soft"), 1)
        edit = text("window.chat.queue_edit")
        drop = text("window.chat.queue_drop")
        row.addWidget(IconButton(self._kit, "edit", edit, lambda: self._writing.edit_waiting(key), size=14))
        row.addWidget(IconButton(self._kit, "close", drop, lambda: self._writing.drop_waiting(key), size=14))
        return line


def empty(layout: QLayout) -> None:
    """Take everything out of a layout and destroy it."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
