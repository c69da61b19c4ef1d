"""The transcript of a conversation: formatted, streaming, virtualized. Made of parts, rows and pieces (see there).

What its user (the chat screen) calls and hears, all on the thread of the windows:

- `load(entries)` shows a conversation from its end; `append`, `prepend`, `replace`, `remove_from` change it. Entries
  have ids.
- `feed(entry_id, text)` adds to a text that was given with `streaming=True`, in chunks of any size: they show once a
  frame. `finish(entry_id)` says that nothing more comes. Several texts may arrive at once.
- `actions_factory` makes the strip of actions of a message (copy, edit, retry, branches) when the message is pointed at
  or reached with the keyboard. It is asked again after `refresh_actions()`. None for no strip.
- `find_text(text)`, `find_next`, `find_previous`, `find_text("")` to end; `found(number, total, complete)` counts.
- `jump_to(entry_id)`, `jump_to_end()`; `at_end_changed(bool)` tells whether the view follows what arrives.
- `link_activated(address)`: a link was chosen; only http, https and mailto come. Nothing is opened here.
- `image_wanted(entry_id, address)`: a picture was asked for; answer with `show_image(address, QImage or None)`.
- `fold_toggled(entry_id, open)` after a text of reasoning was opened or closed.
- `set_style(style)` changes colours and fonts in place.

What is being read never moves: heights above it may change as they like. Only a view that stands at the end follows.

Keys: arrows, Page Up and Down, Home and End scroll; Alt+Up and Alt+Down go from message to message (with Shift they
select whole messages), and then Ctrl+C copies the message and Enter opens its menu, which holds its links; Tab goes
through the controls in view.
"""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from notochord.ui.kit.transcript import accessible, keys, menu
from notochord.ui.kit.transcript.anchor import Anchor
from notochord.ui.kit.transcript.cards import Cards
from notochord.ui.kit.transcript.clipboard import message_data, selected_data
from notochord.ui.kit.transcript.content import Content
from notochord.ui.kit.transcript.controls import holds_focus
from notochord.ui.kit.transcript.entries import Entry
from notochord.ui.kit.transcript.find import Finder
from notochord.ui.kit.transcript.flow import MarkRange
from notochord.ui.kit.transcript.lexing import Lexing
from notochord.ui.kit.transcript.look import Look, Mark
from notochord.ui.kit.transcript.overlays import ActionsFactory, Hooks, Overlays
from notochord.ui.kit.transcript.painting import paint, paint_focus
from notochord.ui.kit.transcript.parts import CardPart, Item, Part, TextPart
from notochord.ui.kit.transcript.pieces.code import CodePiece
from notochord.ui.kit.transcript.pieces.piece import Piece, SlidingPiece
from notochord.ui.kit.transcript.placing import Placing
from notochord.ui.kit.transcript.pointer import Pointer
from notochord.ui.kit.transcript.selection import END, Position, Selection
from notochord.ui.kit.transcript.streaming import Streaming
from notochord.ui.kit.transcript.style import TranscriptStyle, TranscriptTexts

MARGIN = 24
"""Least distance of the column from the edges."""
NARROWEST = 160
_FIRST_TOP = 16


class Transcript(QAbstractScrollArea):
    """See the module's text for the interface."""

    link_activated = Signal(str)
    link_hovered = Signal(str)
    image_wanted = Signal(str, str)
    at_end_changed = Signal(bool)
    fold_toggled = Signal(str, bool)
    found = Signal(int, int, bool)
    selection_changed = Signal()

    def __init__(self, style: TranscriptStyle, texts: TranscriptTexts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.texts = texts
        self.look = Look(style)
        self.cards = Cards(self.viewport(), self._card_resized)
        self.content = Content(self.look, card_height=self.cards.height_of, spliced=self._spliced)
        self.anchor = Anchor(self.content)
        self.selection = Selection()
        self.finder = Finder(self.content, self)
        self.finder.counted.connect(self.found)
        self.lexing = Lexing(self.viewport().update, self)
        self.streaming = Streaming(self)
        self.pointer = Pointer(self)
        hooks = Hooks(self._wrap, self._slide, self.image_wanted.emit, self.toggle_fold, self.jump_to_end)
        self.overlays = Overlays(self.viewport(), self.look, texts, hooks, self.cards)
        self.current: Item | None = None
        """The message that the keyboard stands on."""
        self._by_keyboard = False
        self._placing = Placing(self)
        self._settle_later = QTimer(self)
        self._settle_later.setSingleShot(True)
        self._settle_later.timeout.connect(self.renew)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(texts.conversation)
        self.verticalScrollBar().valueChanged.connect(self._dragged)
        self.viewport().setMouseTracking(True)
        self.setMouseTracking(True)

    # What it shows.

    def load(self, entries: Iterable[Entry]) -> None:
        """Show a conversation, from its end."""
        self.streaming.stop()
        if holds_focus(self.viewport()):
            self.setFocus()  # the control that has it goes away
        self.cards.gone_all()
        self.lexing.clear()
        self.selection.clear()
        self.current = None
        self.overlays.forget_actions()
        self.pointer.reset()
        accessible.dropped(self)
        self.content.width = self._column()
        made = self.content.load(entries)
        for item in made:
            self.streaming.begin(item)
        self.anchor.room = self._room()
        self.finder.forget()
        self.jump_to_end()

    def append(self, entry: Entry) -> None:
        """Add an entry at the end. Raises ValueError if its id is there already."""
        item = self.content.append(entry)
        self.streaming.begin(item)
        for part in item.parts:
            self.finder.changed(part)
        self.renew()

    def prepend(self, entries: Iterable[Entry]) -> None:
        """Add entries before all others, as when earlier messages come later; what is read does not move."""
        self.content.prepend(entries)
        self.renew()

    def feed(self, entry_id: str, text: str) -> None:
        """Add to a text that is arriving. Raises KeyError if it is not, or is no more."""
        self.streaming.feed(entry_id, text)

    def finish(self, entry_id: str) -> None:
        """Say that a text is complete; one that is no longer arriving stays as it is."""
        self.streaming.finish(entry_id)

    def replace(self, entry_id: str, entry: Entry) -> None:
        """Show another entry in the place of one. Raises KeyError."""
        old = self.content.item(entry_id)
        self.streaming.drop(entry_id)
        self._forget(old)
        item = self.content.replace(entry_id, entry)
        self.streaming.begin(item)
        self.renew()

    def remove_from(self, entry_id: str) -> None:
        """Take away an entry and all after it. Raises KeyError."""
        first = self.content.item(entry_id).parts[0].index
        for part in list(self.content.roster.made()):
            if part.index >= first:
                self.streaming.drop(part.entry.id)
                self._forget(part.item)
        self.content.remove_from(entry_id)
        self.renew()

    def show_image(self, address: str, picture: QImage | None) -> None:
        """Show a picture that was asked for, wherever it stands; None if it cannot be shown."""
        self.content.pictures.put(address, picture)
        for part in self.content.roster.made():
            if isinstance(part, TextPart) and part.rows is not None:
                for _, _, piece in part.pieces():
                    if piece.leaf.address == address:
                        piece.width = -1.0
                        self.content.changed(part)
        self.renew()

    def set_style(self, style: TranscriptStyle) -> None:
        """Show the same in other colours and fonts, with the same message at the top."""
        self.look = self.content.look = Look(style)
        self.overlays.set_look(self.look)
        self.lexing.clear()
        self.content.width = self._column()
        self.content.guess_again()
        self.anchor.offset = (
            min(self.anchor.offset, self.content.measure(self.anchor.index)) if self.content.count else 0
        )
        self.renew()

    def set_actions_factory(self, factory: ActionsFactory | None) -> None:
        """Set what makes the strip of actions: called with the entry's id and the parent of the widget."""
        self.overlays.actions_factory = factory
        self.refresh_actions()

    def refresh_actions(self) -> None:
        """Make the strip of actions anew, as what it offers has changed; the keyboard stays on its action."""
        name = self.overlays.action_in_focus()
        self.overlays.forget_actions()
        self.settle()
        if name:
            self._focus_action(name)

    def stand_on(self, entry_id: str, action: str) -> None:
        """Let the keyboard stand on an entry, at this action of its strip if that can be used. Raises KeyError."""
        self.current = self.content.item(entry_id)
        self.reveal(self.current)
        self._focus_action(action)

    def _focus_action(self, name: str) -> None:
        (self.overlays.action(name) or self).setFocus(Qt.FocusReason.TabFocusReason)

    def text_of(self, entry_id: str) -> str:
        """The text of an entry as it came, to the byte. Raises KeyError."""
        return self.content.item(entry_id).text

    def toggle_fold(self, entry_id: str) -> None:
        """Open or close a text of reasoning. Raises KeyError."""
        item = self.content.item(entry_id)
        item.folded = not item.folded
        for part in item.parts:
            if isinstance(part, TextPart):
                part.measured = -1.0
                self.finder.changed(part)
        self.anchor.at_end = False
        self.renew()
        self.fold_toggled.emit(entry_id, not item.folded)

    # Where it stands.

    @property
    def at_end(self) -> bool:
        """Whether the end is in view and followed."""
        return self.anchor.at_end

    def jump_to_end(self) -> None:
        """Show the newest, and follow it."""
        self.anchor.to_end()
        self.settle()

    def jump_to(self, entry_id: str) -> None:
        """Show the beginning of an entry. Raises KeyError."""
        self.anchor.jump(self.content.item(entry_id).parts[0].index, 0.0)
        self.settle()

    def scroll_by(self, distance: float) -> None:
        """Go down, or up if the distance is negative."""
        self.anchor.move(distance)
        self.settle()

    def go_to_message(self, step: int, *, extend: bool = False) -> None:
        """Stand on the next message (1) or the one before (-1); `extend` selects from where it stood to there."""
        roster = self.content.roster
        last = roster.count_items() - 1
        if last < 0:
            return
        if self.current is not None:
            at = min(max(0, roster.place(self.current.entry.id) + step), last)
        elif self.at_end and step < 0:
            at = last
        else:
            part = next((p for p, top, height in self.anchor.visible() if top + height > 40), self.content.part(0))
            at = roster.place(part.entry.id)
        if extend:
            self._select_messages(self.current or roster.item(at), roster.item(at))
        self.current = roster.item(at)
        accessible.focused(self, self.current)
        self.reveal(self.current)

    def reveal(self, item: Item) -> None:
        """Bring a message into view, moving no more than needed."""
        first, last = item.parts[0], item.parts[-1]
        in_view = {part for part, top, _ in self.anchor.visible() if top >= 0}
        bottom = self.anchor.top_of(last.index) + self.content.heights[last.index] - self.content.below(last)
        if first not in in_view or (first is last and bottom > self.anchor.room):
            self.anchor.jump(first.index, -float(_FIRST_TOP))
        self.settle()

    # Selection, clipboard, find.

    def select_all(self) -> None:
        """Select everything."""
        self.selection.set(Position(0, 0, 0, 0), Position(self.content.count, 0, 0, END))
        self.select_changed()

    def _select_messages(self, origin: Item, target: Item) -> None:
        """Select whole messages: from the one that the selection began with, or `origin`, to `target`."""
        fixed = self.selection.fixed
        begun = self.content.part(fixed.part).item if fixed is not None and fixed.part < self.content.count else origin
        first, last = sorted((begun.parts[0].index, target.parts[0].index))
        start = Position(first, 0, 0, 0)
        end = Position(self.content.part(last).item.parts[-1].index, END, 0, 0)
        self.selection.set(*((start, end) if begun.parts[0].index == first else (end, start)))
        self.select_changed()

    def select_changed(self) -> None:
        """Paint the selection anew and tell of it."""
        self.viewport().update()
        self.selection_changed.emit()

    def selected_text(self) -> str:
        """What is selected, as plain text."""
        data = selected_data(self.content, self.selection)
        return data.text() if data is not None else ""

    def copy(self) -> None:
        """Copy what is selected, else the message that the keyboard stands on."""
        data = selected_data(self.content, self.selection)
        if data is None and self.current is not None:
            data = message_data(self.current, self.content)
        if data is not None:
            QGuiApplication.clipboard().setMimeData(data)

    def find_text(self, text: str) -> None:
        """Look for a text; the first hit from what is in view downwards becomes the current one."""
        self.finder.start(text)
        if text:
            self._step(Position(self.anchor.index, 0, 0, 0), back=False)
        self.viewport().update()

    def find_next(self) -> None:
        """Go to the next hit; after the last comes the first."""
        self._step(self.finder.after_current(back=False) or Position(self.anchor.index, 0, 0, 0), back=False)

    def find_previous(self) -> None:
        """Go to the hit before; before the first comes the last."""
        self._step(self.finder.after_current(back=True) or Position(self.anchor.index, 0, 0, 0), back=True)

    def _step(self, origin: Position, *, back: bool) -> None:
        hit = self.finder.step(origin, back=back)
        if hit is not None:
            part, place = hit
            self.show_position(Position(part.index, place.row, place.piece, place.start))
        self.viewport().update()

    def show_position(self, position: Position) -> None:
        """Bring a character into view, if it is not, a third down from the top."""
        part = self.content.part(position.part)
        self.content.measure(position.part)
        inside, tall, piece = 0.0, 20.0, None
        if isinstance(part, TextPart):
            for row, number, found, y in self.content.placed(part, 0.0):
                if (row, number) == (position.row, position.piece):
                    left, below, tall = found.place(position.offset)
                    inside, piece = y + below, found
                    if isinstance(found, SlidingPiece) and not found.left <= left <= found.width - 40:
                        found.slide(found.offset + left - found.width / 2)
        top = self.anchor.top_of(position.part) + inside
        if piece is None or not 0 <= top <= self.anchor.room - tall - 8:
            self.anchor.jump(position.part, inside - self.anchor.room / 3)
        self.settle()

    # Geometry.

    def renew(self) -> None:
        """Stay where it is after something changed, or at the end."""
        self.anchor.room = self._room()
        self.anchor.renew()
        self.settle()

    def settle(self) -> None:
        """Place widgets and the scroll bar for where the view stands, and paint."""
        self._placing.settle()

    def left(self) -> float:
        """The left edge of the column in the viewport; it stays where it is when the scroll bar comes."""
        return (self.width() - self.content.width) // 2 - self.viewport().x()

    def _column(self) -> float:
        return float(max(NARROWEST, min(self.look.style.column, self.viewport().width() - 2 * MARGIN)))

    def _room(self) -> float:
        return float(self.viewport().height())

    def _dragged(self, value: int) -> None:
        if not self._placing.busy:
            if value >= self.verticalScrollBar().maximum():
                self.anchor.to_end()
            else:
                self.anchor.drag(float(value))
            self.settle()

    def _spliced(self, start: int, gone: int, came: int) -> None:
        self.anchor.spliced(start, gone, came)
        self.selection.spliced(start, gone, came)
        self.finder.forget()

    def _forget(self, item: Item) -> None:
        self.cards.gone([part for part in item.parts if isinstance(part, CardPart)])
        if self.current is item:
            self.current = None
        self.pointer.reset()
        accessible.forgot(self, item)
        if self.overlays.actions_item is item:
            self.overlays.forget_actions()

    def _card_resized(self) -> None:
        if not self._placing.busy:
            self._settle_later.start(0)

    def _wrap(self, part: TextPart, row: int, number: int, wraps: bool) -> None:
        part.set_wraps(row, number, wraps=wraps)
        for r, k, piece in part.pieces():
            if (r, k) == (row, number) and isinstance(piece, CodePiece):
                piece.wraps = wraps
        self.content.changed(part)
        self.anchor.at_end = False
        self.renew()

    def _slide(self, piece: SlidingPiece, offset: int) -> None:
        piece.slide(float(offset))
        self.viewport().update()

    def marks(self, part: Part, row: int, number: int, piece: Piece) -> list[MarkRange]:
        """The backgrounds of a piece: what is selected, what was found."""
        marks: list[MarkRange] = []
        if self.finder.needle:
            current = self.finder.current
            for hit in self.finder.hits(part):
                if (hit.row, hit.piece) == (row, number):
                    mine = current is not None and current == (part, hit)
                    marks.append((hit.start, hit.end, Mark.CURRENT if mine else Mark.FOUND))
        if not self.selection.empty:
            within = self.selection.within(part.index, row, number, piece.length)
            if within is not None:
                marks.append((*within, Mark.SELECTED))
        return marks

    # Events.

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        clip: QRect = event.rect()
        painter.fillRect(clip, self.look.background)
        painter.translate(self.left(), 0)
        edges = (float(clip.top()), float(clip.bottom() + 1))
        paint(painter, self.content, self.anchor, edges, self.marks, self.current if self.hasFocus() else None)
        if self.hasFocus() and self._by_keyboard and self.current is None:
            painter.translate(-self.left(), 0)
            paint_focus(painter, QRectF(self.viewport().rect()), self.look)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.content.width = self._column()
        self.renew()

    def showEvent(self, event: QShowEvent) -> None:
        accessible.introduce(self)
        super().showEvent(event)
        self.renew()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.pointer.wheel(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.pointer.double_click(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = event.pos()
        position = QPoint(at) if event.reason() is not QContextMenuEvent.Reason.Keyboard else None
        menu.show(self, position, event.globalPos())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and self.pointer.tool_tip(event):
            return True
        if event.type() is QEvent.Type.Leave:
            self.pointer.leave()
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not keys.pressed(self, event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        accessible.introduce(self)
        """Show where the keyboard is to who works with it, and not to who only pressed the mouse here."""
        super().focusInEvent(event)
        self._by_keyboard = event.reason() in keys.BY_KEYBOARD
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def focusNextPrevChild(self, next: bool) -> bool:
        return QWidget.focusNextPrevChild(self, next)
