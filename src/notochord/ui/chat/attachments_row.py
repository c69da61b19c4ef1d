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
from notochord.ui.kit.tab_order import TabPlace
from notochord.ui.kit.transcript.controls import holds_focus
from notochord.ui.kit.unseen import shown
from notochord.viewmodels.chat.composer import Attachment, Composer
from notochord.viewmodels.chat.desk import Writing
from notochord.viewmodels.chat.outbox import Waiting

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
        self._place = TabPlace(self)
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
        self._place.take(self._row)
        if at >= 0 and self.chips:
            self.chips[min(at, len(self.chips) - 1)].remove.setFocus()
        elif at >= 0:
            self._leave()


class QueueView(QWidget):
    """The messages that wait for the answer under way; when something failed, the user lets them go on.

    `leave` takes the keyboard when what it was on goes away with its message.
    """

    def __init__(self, kit: Kit, writing: Writing, leave: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._writing, self._leave = kit, writing, leave
        self.lines: dict[int, WaitingLine] = {}
        self.resume: Button | None = None
        self._place = TabPlace(self)
        self.setAccessibleName(kit.text("window.chat.queue"))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        bind_list(self, writing.outbox.queue, self._show)
        bind(self, writing.outbox.held, lambda _: self._show())

    def _show(self) -> None:
        """Make the lines anew; the keyboard stays on its message, or goes to the one that took its place."""
        before, had = list(self.lines), holds_focus(self)
        on = next((key for key, line in self.lines.items() if line.has_keyboard), None)
        empty(self._column)
        queue, text = self._writing.outbox.queue, self._kit.text
        self.lines = {
            message.key: WaitingLine(self._kit, message, self._edit, self._writing.drop_waiting)
            for message in queue[:MOST_WAITING]
        }
        for line in self.lines.values():
            self._column.addWidget(line)
        if len(queue) > MOST_WAITING:
            more = text("window.chat.more_waiting", count=len(queue) - MOST_WAITING)
            self._column.addWidget(Label(self._kit, more, colour="text_soft"))
        self.resume = self._offer_to_go_on() if queue and self._writing.outbox.held.value else None
        self.setVisible(bool(queue))
        self._place.take(self._column)
        if on is not None and self.lines:
            kept = list(self.lines)
            self.lines[on if on in self.lines else kept[min(before.index(on), len(kept) - 1)]].drop.setFocus()
        elif had:
            self._leave()

    def _offer_to_go_on(self) -> Button:
        row = QWidget()
        inner = QHBoxLayout(row)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(Label(self._kit, self._kit.text("window.chat.queue_held"), colour="text_soft"), 1)
        button = Button(self._kit, self._kit.text("window.chat.queue_resume"), self._go_on)
        inner.addWidget(button)
        self._column.addWidget(row)
        return button

    def _go_on(self) -> None:
        self._leave()
        self._writing.outbox.resume()

    def _edit(self, key: int) -> None:
        self._leave()
        self._writing.edit_waiting(key)


class WaitingLine(QWidget):
    """A message that waits: it can be taken back to be changed, or dropped."""

    def __init__(self, kit: Kit, message: Waiting, edit: Callable[[int], None], drop: Callable[[int], None]) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(kit.theme.space.s, 0, 0, 0)
        row.setSpacing(kit.theme.space.xs)
        row.addWidget(Glyph(kit, "clock"))
        told = message.text.strip() or kit.text("window.chat.only_files", count=len(message.attachments))
        row.addWidget(ElidedLabel(kit, told[:500], colour="text_soft"), 1)
        self.edit = IconButton(kit, "edit", kit.text("window.chat.queue_edit"), partial(edit, message.key), size=14)
        self.drop = IconButton(kit, "close", kit.text("window.chat.queue_drop"), partial(drop, message.key), size=14)
        for button in (self.edit, self.drop):
            row.addWidget(button)
            button.setAccessibleDescription(told[:500])

    @property
    def has_keyboard(self) -> bool:
        return self.edit.hasFocus() or self.drop.hasFocus()


def empty(layout: QLayout) -> None:
    """Take everything out of a layout and destroy it."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
