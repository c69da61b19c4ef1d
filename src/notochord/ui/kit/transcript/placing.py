"""Brings widgets, scroll bar and colours of code to where the view stands, after each change of geometry."""

from typing import TYPE_CHECKING

from notochord.ui.kit.transcript.entries import Role
from notochord.ui.kit.transcript.parts import CardPart, Item, TextPart
from notochord.ui.kit.transcript.pieces.code import CodePiece

if TYPE_CHECKING:
    from notochord.ui.kit.transcript.view import Transcript

MOST_ROUNDS = 3
"""A card that is made now may want another height than was guessed: then all is placed again."""
ACTIONS_ABOVE = 24.0
"""How far the actions of a message without a head line stand above it."""


class Placing:
    """Places what belongs to one view."""

    def __init__(self, view: "Transcript") -> None:
        self._view = view
        self._was_at_end = True
        self.busy = False
        """While it is at work, changes of the scroll bar are its own."""

    def settle(self) -> None:
        """Place everything, paint, and tell when the end was left or reached."""
        if self.busy:
            return
        view, self.busy = self._view, True
        try:
            for _ in range(MOST_ROUNDS):
                if not self._place():
                    break
                view.anchor.renew()
            self._set_bar()
        finally:
            self.busy = False
        view.viewport().update()
        if self._was_at_end != view.at_end:
            self._was_at_end = view.at_end
            view.at_end_changed.emit(view.at_end)

    def _place(self) -> bool:
        """Place the widgets over what is in view; whether some height changed by that."""
        view, left, moved = self._view, self._view.left(), False
        cards, codes = set[CardPart](), set[CodePiece]()
        view.overlays.begin()
        for part, top, height in list(view.anchor.visible()):
            if isinstance(part, CardPart):
                cards.add(part)
                view.cards.ensure(part)
                moved |= view.content.measure(part.index) != height
                view.overlays.place_card(part, left, top, view.content.width)
            else:
                self._place_part(part, left, top, codes)
        view.overlays.place_actions(*self._actions_place(view.current or view.pointer.hovered, left))
        view.overlays.end(cards, at_end=view.at_end)
        view.lexing.forget_unused(codes)
        return moved

    def _place_part(self, part: TextPart, left: float, top: float, codes: set[CodePiece]) -> None:
        view = self._view
        if part.first and part.entry.role is Role.REASONING:
            view.overlays.place_fold(part, left, top)
        left += view.content.inset(part)
        for row, number, piece, y in view.content.placed(part, top):
            if y > view.anchor.room or y + piece.height < 0:
                continue
            if isinstance(piece, CodePiece) and part.rows is not None:
                piece.prepare(-y, view.anchor.room - y)
                codes.add(piece)
                view.lexing.want(piece, closed=part.rows[row].segment.closed)
            view.overlays.place(part, row, number, piece, left, y)

    def _actions_place(self, item: Item | None, left: float) -> tuple[Item | None, float, float]:
        """Whose actions are shown, and their right and upper edge: over the head line, or as near to it as can be."""
        content, anchor = self._view.content, self._view.anchor
        right = left + content.width
        if item is None or item.parts[0].index >= content.count:
            return None, right, 0.0
        first, last = item.parts[0], item.parts[-1]
        top = anchor.top_of(first.index)
        if anchor.top_of(last.index) + content.heights[last.index] - content.below(last) < 0 or top > anchor.room:
            return None, right, 0.0
        inset = content.inset(first) if isinstance(first, TextPart) else 0.0
        has_head = isinstance(first, TextPart) and first.has_head
        return item, right - inset * 0.6, max(2.0, top + (inset * 0.6 - 2 if has_head else -ACTIONS_ABOVE))

    def _set_bar(self) -> None:
        bar, anchor = self._view.verticalScrollBar(), self._view.anchor
        bar.setRange(0, int(anchor.most))
        bar.setPageStep(int(anchor.room))
        bar.setSingleStep(40)
        bar.setValue(int(anchor.value))
