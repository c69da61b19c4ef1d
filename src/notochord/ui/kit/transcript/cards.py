"""Cards: widgets that the caller makes, alive only near the view, and never taken away under the keyboard."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from notochord.ui.kit.transcript.controls import PARKED, holds_focus
from notochord.ui.kit.transcript.parts import CardPart, Item


class Cards(QObject):
    """Makes, places and drops the widgets of cards. `resized` is called when one wants another height."""

    def __init__(self, viewport: QWidget, resized: Callable[[], None]) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._resized = resized
        self._alive: dict[CardPart, QWidget] = {}

    def height_of(self, part: CardPart, width: float) -> float:
        """The height that a card wants, or had when it was last alive."""
        card = self._alive.get(part)
        if card is None:
            return part.height
        if card.hasHeightForWidth():
            return float(card.heightForWidth(round(width)))
        return float(max(card.sizeHint().height(), card.minimumHeight()))

    def ensure(self, part: CardPart) -> QWidget:
        """The widget of a card, made if it is not there."""
        card = self._alive.get(part)
        if card is None:
            card = self._alive[part] = part.entry.make(self._viewport)
            card.setParent(self._viewport)
            if part.entry.name and not card.accessibleName():
                card.setAccessibleName(part.entry.name)
            card.installEventFilter(self)
        return card

    def alive(self, part: CardPart) -> QWidget | None:
        """The widget of a card, if it is there."""
        return self._alive.get(part)

    def item_of(self, widget: object) -> Item | None:
        """The entry whose widget this is."""
        return next((part.item for part, card in self._alive.items() if card is widget), None)

    def keep(self, parts: set[CardPart]) -> None:
        """Drop all others, but for one that has the focus: that one waits out of sight."""
        for part in [part for part in self._alive if part not in parts]:
            card = self._alive[part]
            if holds_focus(card) and part in part.item.parts and part.index >= 0:
                card.move(card.x(), PARKED)
            else:
                self._drop(part)

    def gone(self, parts: list[CardPart]) -> None:
        """Drop the widgets of cards that are no more."""
        for part in parts:
            if part in self._alive:
                self._drop(part)

    def gone_all(self) -> None:
        """Drop every widget."""
        self.gone(list(self._alive))

    def count(self) -> int:
        """How many widgets are alive."""
        return len(self._alive)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._resized()
        return False

    def _drop(self, part: CardPart) -> None:
        card = self._alive.pop(part)
        card.removeEventFilter(self)
        card.hide()
        card.deleteLater()
