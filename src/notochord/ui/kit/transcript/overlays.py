"""Real widgets over what is in view: buttons of code, tables and pictures, bars for wide blocks, cards, actions.

Widgets are made and moved here, after the geometry is settled, and never while painting.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QWidget

from notochord.ui.kit.tab_order import widgets_in
from notochord.ui.kit.transcript.cards import Cards
from notochord.ui.kit.transcript.controls import Pool, QuietButton, SideBar, holds_focus
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.parts import CardPart, Item, TextPart
from notochord.ui.kit.transcript.pieces.code import CodePiece
from notochord.ui.kit.transcript.pieces.image import ImagePiece
from notochord.ui.kit.transcript.pieces.piece import Piece, SlidingPiece
from notochord.ui.kit.transcript.pieces.table import TablePiece
from notochord.ui.kit.transcript.style import TranscriptTexts
from notochord.viewmodels.chat.markdown.links import link_to

Key = tuple[object, int, int]
ActionsFactory = Callable[[str, QWidget], QWidget | None]
_BAR_ABOVE_EDGE = 2
_GAP = 2


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a press on a control asks of the view."""

    wrap: Callable[[TextPart, int, int, bool], None]
    slide: Callable[[SlidingPiece, int], None]
    image: Callable[[str, str], None]
    fold: Callable[[str], None]
    newest: Callable[[], None]


class Overlays:
    """`place` is called with what is in view, after each change of geometry."""

    def __init__(self, viewport: QWidget, look: Look, texts: TranscriptTexts, hooks: Hooks, cards: Cards) -> None:
        self._viewport = viewport
        self._look = look
        self._texts = texts
        self._hooks = hooks
        self.cards = cards
        self._copy = Pool(lambda: self._button(texts.copy, texts.copy_code))
        self._wrap = Pool(lambda: self._button(texts.wrap, texts.wrap_code, checkable=True))
        self._csv = Pool(lambda: self._button(texts.copy_csv, texts.copy_csv, shy=True))
        self._images = Pool(lambda: self._button("", texts.image, floats=True))
        self._folds = Pool(lambda: self._button("", ""))
        self._bars = Pool(lambda: SideBar(viewport, self._look))
        self._pieces: dict[QWidget, Callable[[], None]] = {}
        self._actions: tuple[Item, QWidget] | None = None
        self._order: list[QWidget] = []
        self._inside: list[int] = []
        self.actions_factory: ActionsFactory | None = None
        self.newest = self._button(texts.newest, texts.newest, floats=True)
        self.newest.setText(f"↓  {texts.newest}")
        self._pieces[self.newest] = hooks.newest

    def set_look(self, look: Look) -> None:
        """Draw the controls in other colours and sizes."""
        self._look = look
        for pool in (self._copy, self._wrap, self._csv, self._images, self._folds):
            for button in pool.every():
                button.set_look(look)
        for bar in self._bars.every():
            bar.set_look(look)
        self.newest.set_look(look)

    def begin(self) -> None:
        """Start a new placement."""
        for pool in (self._copy, self._wrap, self._csv, self._images, self._folds, self._bars):
            pool.begin()

    def place(self, part: TextPart, row: int, number: int, piece: Piece, left: float, top: float) -> None:
        """Place what belongs to a block whose upper left corner is at a point of the viewport."""
        key = (part, row, number)
        if isinstance(piece, CodePiece):
            self._place_code(key, part, piece, left, top)
        elif isinstance(piece, TablePiece):
            self._place_table(key, piece, left, top)
        elif isinstance(piece, ImagePiece) and piece.picture is None:
            self._place_image(key, part, piece, left, top)
        if isinstance(piece, SlidingPiece) and piece.most > 0:
            self._place_bar(key, piece, left, top)

    def place_fold(self, part: TextPart, left: float, top: float) -> None:
        """Place the button that opens and closes a text of reasoning."""
        button, folded = self._folds.lend(part), part.item.folded
        entry_id = part.entry.id
        button.setText(f"{'▸' if folded else '▾'}  {part.entry.who or self._fold_name(folded=folded)}")
        button.setAccessibleName(f"{part.entry.who}: " * bool(part.entry.who) + self._fold_name(folded=folded))
        button.setToolTip(self._fold_name(folded=folded))
        self._pieces[button] = lambda: self._hooks.fold(entry_id)
        self._show(button, left - 6, top, button.sizeHint().width(), button.sizeHint().height())

    def place_card(self, part: CardPart, left: float, top: float, width: float) -> None:
        """Place a card."""
        card = self.cards.ensure(part)
        self._show(card, left, top, round(width), round(part.height))

    def place_actions(self, item: Item | None, right: float, top: float) -> None:
        """Place the strip of actions of one message, made when another message had it before."""
        if self._actions is not None and self._actions[0] is not item and not holds_focus(self._actions[1]):
            self._actions[1].hide()
            self._actions[1].deleteLater()
            self._actions = None
        if item is None or self.actions_factory is None:
            return
        if self._actions is None:
            strip = self.actions_factory(item.entry.id, self._viewport)
            if strip is None:
                return
            strip.setParent(self._viewport)
            if not strip.accessibleName():
                strip.setAccessibleName(self._texts.actions)
            self._actions = (item, strip)
        if self._actions[0] is item:
            strip, size = self._actions[1], self._actions[1].sizeHint()
            self._show(strip, right - size.width(), top, size.width(), size.height())
            strip.raise_()

    def forget_actions(self) -> None:
        """The strip shows what is no longer so: make it anew."""
        if self._actions is not None:
            self._actions[1].hide()
            self._actions[1].deleteLater()
            self._actions = None

    def controls_of(self, item: Item) -> list[QWidget]:
        """The controls of a message that are in view, in the order of reading."""
        pools = (self._copy, self._wrap, self._csv, self._images, self._folds, self._bars)
        found: list[QWidget] = []
        for pool in pools:
            for key, control in pool.shown().items():
                part = key[0] if isinstance(key, tuple) else key
                if isinstance(part, TextPart) and part.item is item:
                    found.append(control)
        if self._actions is not None and self._actions[0] is item:
            found.append(self._actions[1])
        return sorted(found, key=lambda control: (control.y(), control.x()))

    def action(self, name: str) -> QAbstractButton | None:
        """The button with this name in the strip that is shown, if it can be used."""
        buttons = self._actions[1].findChildren(QAbstractButton) if self._actions is not None else []
        return next((one for one in buttons if one.isEnabled() and one.accessibleName() == name), None)

    def action_in_focus(self) -> str:
        """The name of the button of the strip that has the keyboard, or nothing."""
        buttons = self._actions[1].findChildren(QAbstractButton) if self._actions is not None else []
        return next((one.accessibleName() for one in buttons if one.hasFocus()), "")

    @property
    def actions_item(self) -> Item | None:
        """Whose actions are shown."""
        return self._actions[0] if self._actions is not None else None

    def end(self, cards: set[CardPart], *, at_end: bool) -> None:
        """Hide what was not placed, and put the controls into the order of reading."""
        for pool in (self._copy, self._wrap, self._csv, self._images, self._folds, self._bars):
            for control in pool.end():  # what its block was would keep the whole message in memory
                self._pieces.pop(control, None)
        self.cards.keep(cards)
        size, view = self.newest.sizeHint(), self._viewport.rect()
        at = QPoint((view.width() - size.width()) // 2, view.height() - size.height() - 12)
        self.newest.setGeometry(QRect(at, size))
        self.newest.setVisible(not at_end)
        self.newest.raise_()
        self._put_in_order(cards)

    def reveal(self, key: Key | None) -> None:
        """Show the shy button of the table under the pointer."""
        for found, button in self._csv.shown().items():
            button.reveal(found == key)

    def _put_in_order(self, cards: set[CardPart]) -> None:
        pools = (self._copy, self._wrap, self._csv, self._images, self._folds, self._bars)
        found: list[QWidget] = [control for pool in pools for control in pool.shown().values()]
        found += [card for part in cards if (card := self.cards.alive(part)) is not None]
        if self._actions is not None:
            found.append(self._actions[1])
        found.sort(key=lambda control: (control.y(), control.x()))
        found.append(self.newest)
        inside = [len(control.findChildren(QWidget)) for control in found]
        if (found, inside) != (self._order, self._inside):
            self._order, self._inside = found, inside
            view = self._viewport.parentWidget()
            stops = [view] if view is not None else []
            for control in found:
                stops += [control, *widgets_in(layout)] if (layout := control.layout()) is not None else [control]
            reached = [stop for stop in stops if stop.focusPolicy() & Qt.FocusPolicy.TabFocus]
            for before, after in pairwise(reached):
                QWidget.setTabOrder(before, after)

    def _place_code(self, key: Key, part: TextPart, piece: CodePiece, left: float, top: float) -> None:
        right, middle = left + piece.width - 6, top + self._look.bar_height / 2
        copy = self._copy.lend(key)
        copy.setText(self._texts.copy)
        self._pieces[copy] = lambda: self._copied(copy, piece.text)
        right = self._show_right(copy, right, middle)
        if piece.can_wrap and not piece.has_long_lines:
            wrap = self._wrap.lend(key)
            wrap.setChecked(piece.wraps)
            self._pieces[wrap] = lambda: self._hooks.wrap(part, key[1], key[2], wrap.isChecked())
            self._show_right(wrap, right - _GAP, middle)

    def _place_table(self, key: Key, piece: TablePiece, left: float, top: float) -> None:
        button = self._csv.lend(key)
        self._pieces[button] = lambda: QGuiApplication.clipboard().setText(piece.as_csv)
        size = button.sizeHint()
        right = left + min(piece.left + piece.reach, piece.width)
        self._show(button, right - size.width() - 4, top + 4, size.width(), size.height())

    def _place_image(self, key: Key, part: TextPart, piece: ImagePiece, left: float, top: float) -> None:
        button, address = self._images.lend(key), piece.leaf.address
        link = link_to(address)
        if piece.pictures.failed(address):
            text = self._texts.image_failed
        else:
            text = self._texts.show_image.format(host=link.host if link else "…")
        button.setEnabled(link is not None)
        button.setText(
            button.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, round(piece.width - piece.left - 40))
        )
        button.setAccessibleName(f"{piece.text}: {text}" if piece.text else text)
        button.setToolTip(link.described if link else "")
        self._pieces[button] = lambda: self._hooks.image(part.entry.id, address)
        size, pad = button.sizeHint(), self._look.style.padding
        self._show(button, left + piece.left + pad, top + piece.height - size.height() - 7, size.width(), size.height())

    def _place_bar(self, key: Key, piece: SlidingPiece, left: float, top: float) -> None:
        bar = self._bars.lend(key)
        bar.setAccessibleName(self._texts.scroll_sideways)
        bar.blockSignals(True)
        bar.setRange(0, round(piece.most))
        bar.setPageStep(round(piece.room))
        bar.setSingleStep(40)
        bar.setValue(round(piece.offset))
        bar.blockSignals(False)
        self._pieces[bar] = lambda: self._hooks.slide(piece, bar.value())
        if bar.property("wired") is None:
            bar.setProperty("wired", True)
            bar.valueChanged.connect(lambda _=0: self._pressed(bar))
        below = top + piece.height - SideBar.THICK - _BAR_ABOVE_EDGE
        self._show(bar, left + piece.left + 4, below, round(piece.room - 8), SideBar.THICK)

    def _copied(self, button: QuietButton, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        button.setText(self._texts.copied)

    def _fold_name(self, *, folded: bool) -> str:
        return self._texts.show_reasoning if folded else self._texts.hide_reasoning

    def _button(
        self, text: str, name: str, *, floats: bool = False, shy: bool = False, checkable: bool = False
    ) -> QuietButton:
        button = QuietButton(self._viewport, self._look, floats=floats, shy=shy)
        button.setText(text)
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.setCheckable(checkable)
        button.clicked.connect(lambda _=False: self._pressed(button))
        return button

    def _pressed(self, control: QWidget) -> None:
        """Do what a control stands for now; one that was taken back meanwhile stands for nothing."""
        if (act := self._pieces.get(control)) is not None:
            act()

    def _show_right(self, button: QuietButton, right: float, middle: float) -> float:
        size = button.sizeHint()
        left = right - size.width()
        self._show(button, left, middle - size.height() / 2, size.width(), size.height())
        return left

    @staticmethod
    def _show(widget: QWidget, left: float, top: float, width: int, height: int) -> None:
        area = QRect(round(left), round(top), width, height)
        if widget.geometry() != area:
            widget.setGeometry(area)
        if widget.isHidden():
            widget.show()
