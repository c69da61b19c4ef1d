"""What the mouse does in a transcript: selecting with scrolling at the edges, links, tool tips, sliding wide blocks."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QHelpEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip

from notochord.ui.kit.transcript.entries import CardEntry
from notochord.ui.kit.transcript.parts import CardPart, Item, Part, TextPart
from notochord.ui.kit.transcript.pieces.piece import Piece, SlidingPiece
from notochord.ui.kit.transcript.selection import Position, word_at
from notochord.viewmodels.chat.markdown.leaves import IMAGE, Span
from notochord.viewmodels.chat.markdown.links import link_to

if TYPE_CHECKING:
    from notochord.ui.kit.transcript.view import Transcript

AUTO_SCROLL_MS = 30
EDGE_SHARE = 0.35
Spot = tuple[TextPart, int, int, Piece, float, float]
"""A piece with its place, and a point relative to it."""


class Pointer(QObject):
    """Follows the mouse of one view."""

    def __init__(self, view: "Transcript") -> None:
        super().__init__(view)
        self._view = view
        self.hovered: Item | None = None
        self._from: Position | None = None
        self._pressed_link: Span | None = None
        self._shown_link = ""
        self._last = QPointF()
        self._since_double = QElapsedTimer()
        self._scrolling = QTimer(self)
        self._scrolling.setInterval(AUTO_SCROLL_MS)
        self._scrolling.timeout.connect(self._scroll)

    def reset(self) -> None:
        """What was under the pointer is gone."""
        self.hovered = self._from = self._pressed_link = None
        self._scrolling.stop()

    # What is at a point.

    def part_at(self, point: QPointF) -> tuple[Part, float] | None:
        """The part at a height, and where its top is."""
        for part, top, height in self._view.anchor.visible():
            if top <= point.y() < top + height:
                return part, top
        return None

    def item_at(self, point: QPointF) -> Item | None:
        """The message at a point."""
        found = self.part_at(point)
        return found[0].item if found is not None else None

    def spot(self, point: QPointF) -> Spot | None:
        """The block at a point."""
        found = self.part_at(point)
        if found is None or not isinstance(found[0], TextPart):
            return None
        part, top = found[0], found[1]
        x = point.x() - self._view.left() - self._view.content.inset(part)
        for row, number, piece, y in self._view.content.placed(part, top):
            if y <= point.y() < y + piece.height:
                return part, row, number, piece, x, point.y() - y
        return None

    def link_at(self, point: QPointF) -> Span | None:
        """The link or picture at a point."""
        found = self.spot(point)
        return found[3].link_at(found[4], found[5]) if found is not None else None

    def position(self, point: QPointF) -> Position | None:
        """The place in the text that is nearest to a point."""
        view, last = self._view, None
        for part, top, _ in view.anchor.visible():
            if isinstance(part, CardPart):
                last = Position(part.index, 0, 0, 0)
                continue
            x = point.x() - view.left() - view.content.inset(part)
            for row, number, piece, y in view.content.placed(part, top):
                if last is not None and point.y() < y:
                    return last
                inside = min(max(point.y() - y, 0.0), piece.height)
                last = Position(part.index, row, number, min(piece.hit(x, inside), piece.length))
                if point.y() < y + piece.height:
                    return last
        return last

    # Events.

    def press(self, event: QMouseEvent) -> None:
        """Begin a selection, or extend it; note the link under the pointer."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        view, point = self._view, event.position()
        view.current = None
        here = self.position(point)
        if (
            self._since_double.isValid()
            and self._since_double.elapsed() < QGuiApplication.styleHints().mouseDoubleClickInterval()
        ):
            self._select_block(point)
            return
        if (
            event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            and view.selection.fixed is not None
            and here is not None
        ):
            view.selection.set(view.selection.fixed, here)
            self._from = view.selection.fixed
        else:
            view.selection.clear()
            self._from = here
            self._pressed_link = self.link_at(point)
        view.select_changed()
        view.settle()

    def move(self, event: QMouseEvent) -> None:
        """Extend the selection while the button is down; else show what is under the pointer."""
        self._last = event.position()
        if event.buttons() & Qt.MouseButton.LeftButton and self._from is not None:
            self._extend()
            outside = not 0 <= self._last.y() <= self._view.anchor.room
            if outside and not self._scrolling.isActive():
                self._scrolling.start()
            elif not outside:
                self._scrolling.stop()
        elif not event.buttons():
            self._hover(self._last)

    def release(self, event: QMouseEvent) -> None:
        """End a selection; a link that was pressed and not dragged is chosen."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._scrolling.stop()
        pressed, self._pressed_link, self._from = self._pressed_link, None, None
        if pressed is not None and self._view.selection.empty and self.link_at(event.position()) == pressed:
            self.activate(pressed, self.item_at(event.position()))

    def double_click(self, event: QMouseEvent) -> None:
        """Select a word; a third click selects the block."""
        found = self.spot(event.position())
        self._since_double.start()
        if found is None:
            return
        part, row, number, piece, x, y = found
        over = piece.over(x, y)
        if over is not None:
            begin, end = word_at(piece.text, over)
            self._select(part, row, number, begin, end)

    def wheel(self, event: QWheelEvent) -> None:
        """Scroll; sideways only the block under the pointer."""
        pixels, angle = event.pixelDelta(), event.angleDelta()
        delta = pixels if not pixels.isNull() else angle
        sideways = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier) or abs(delta.x()) > abs(delta.y())
        if sideways:
            found = self.spot(event.position())
            if found is not None and isinstance(found[3], SlidingPiece):
                found[3].slide(found[3].offset - (delta.x() or delta.y()))
                self._view.settle()
        else:
            self._view.scroll_by(-float(delta.y()))
            self._hover(event.position())
        event.accept()

    def leave(self) -> None:
        """The pointer is over nothing any more."""
        self._tell_link(None)
        inside = self._view.viewport().rect().contains(self._view.viewport().mapFromGlobal(self._view.cursor().pos()))
        if self.hovered is not None and not inside:
            self.hovered = None
            self._view.overlays.reveal(None)
            self._view.settle()

    def tool_tip(self, event: QEvent) -> bool:
        """Show where the link under the pointer leads."""
        if not isinstance(event, QHelpEvent):
            return False
        span = self.link_at(QPointF(event.pos()))
        link = link_to(span.address) if span is not None else None
        if link is None:
            QToolTip.hideText()
            return False
        QToolTip.showText(event.globalPos(), link.described, self._view.viewport())
        return True

    def activate(self, span: Span, item: Item | None) -> None:
        """Choose a link, or ask for a picture."""
        link = link_to(span.address)
        if link is None:
            return
        if span.flags & IMAGE and item is not None and not isinstance(item.entry, CardEntry):
            self._view.image_wanted.emit(item.entry.id, link.address)
        else:
            self._view.link_activated.emit(link.address)

    def _hover(self, point: QPointF) -> None:
        view, found = self._view, self.spot(point)
        span = found[3].link_at(found[4], found[5]) if found is not None else None
        self._tell_link(span)
        if span is not None:
            shape = Qt.CursorShape.PointingHandCursor
        else:
            over_text = found is not None and found[3].over(found[4], found[5]) is not None
            shape = Qt.CursorShape.IBeamCursor if over_text else Qt.CursorShape.ArrowCursor
        view.viewport().setCursor(shape)
        view.overlays.reveal((found[0], found[1], found[2]) if found is not None else None)
        item = self.item_at(point)
        if item is not self.hovered:
            self.hovered = item
            view.settle()

    def _tell_link(self, span: Span | None) -> None:
        link = link_to(span.address) if span is not None else None
        described = link.described if link is not None else ""
        if described != self._shown_link:
            self._shown_link = described
            self._view.link_hovered.emit(described)

    def _extend(self) -> None:
        here = self.position(self._last)
        if here is not None and self._from is not None:
            self._view.selection.set(self._from, here)
            self._view.select_changed()

    def _scroll(self) -> None:
        y, room = self._last.y(), self._view.anchor.room
        self._view.scroll_by((y if y < 0 else y - room) * EDGE_SHARE)
        self._extend()

    def _select_block(self, point: QPointF) -> None:
        self._since_double.invalidate()
        found = self.spot(point)
        if found is not None:
            part, row, number, piece, _, _ = found
            self._select(part, row, number, 0, piece.length)

    def _select(self, part: TextPart, row: int, number: int, begin: int, end: int) -> None:
        self._from = None
        at = Position(part.index, row, number, begin)
        self._view.selection.set(at, at._replace(offset=end))
        self._view.select_changed()
