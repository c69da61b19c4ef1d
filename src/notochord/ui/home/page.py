"""The page Home: what waits for the user, and the installed gems; projects come above them when they land."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.home.gem_card import GemCard
from notochord.ui.home.offer_row import OfferRow
from notochord.ui.home.waiting_rows import waiting_row
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import heading, remark, title
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.controls.scroll_page import ScrollPage
from notochord.ui.kit.controls.sections import Section
from notochord.ui.kit.controls.skeleton import Skeleton
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.home.model import GemRow, HomeModel, Reading
from notochord.viewmodels.shell.navigation import Page, Place


class HomePage(ScrollPage):
    """Shows a `HomeModel`, which its maker starts and closes."""

    def __init__(self, kit: Kit, model: HomeModel) -> None:
        super().__init__(kit, kit.text("window.home.title"))
        self._kit = kit
        self._model = model
        self._cards: dict[str, GemCard] = {}
        head = QHBoxLayout()
        head.addWidget(title(kit, kit.text("window.home.title")), 1)
        self._new = Button(kit, kit.text("window.home.new_chat"), model.new_chat, primary=True, icon_name="new-chat")
        head.addWidget(self._new)
        self.column.addLayout(head)
        self.column.setSpacing(kit.theme.space.xl)
        self._connect = NoticeBar(
            kit, kit.text("window.home.no_model"), "info",
            action=kit.text("window.home.connect_model"), on_action=model.connect_model,
        )  # fmt: skip
        self.column.addWidget(self._connect)
        self._waiting = _room(self.column, kit)
        self._gems = _room(self.column, kit)
        self._offers = _room(self.column, kit)
        self.column.addStretch(1)
        bind(self, model.model_connected, self._show_connection)
        bind_list(self, model.waiting, self._show_waiting)
        bind_list(self, model.gems, self._show_gems)
        bind_list(self, model.offered, self._show_offers)
        bind_list(self, model.offered, self._show_gems)
        bind(self, model.installing, lambda _: self._show_offers())
        bind(self, model.reading, lambda _: self._show_gems())
        bind(self, model.place, self._go_to)

    def _show_connection(self, connected: bool) -> None:
        self._connect.setVisible(not connected)
        self._new.setVisible(connected)

    def _show_waiting(self) -> None:
        _empty(self._waiting)
        holder = self._waiting.parentWidget()
        if holder is not None:
            holder.setVisible(bool(self._model.waiting))
        if not self._model.waiting:
            return
        section = Section(self._kit, self._kit.text("window.home.waiting"))
        for waiting in self._model.waiting:
            section.add(waiting_row(self._kit, self._model, waiting))
        self._waiting.addWidget(section)

    def _show_gems(self) -> None:
        _empty(self._gems)
        self._cards = {}
        if not self._model.gems:
            self._gems.addWidget(heading(self._kit, self._kit.text("window.home.gems")))
        if self._model.gems:
            self._fill_gems()
        elif self._model.reading.value is Reading.LOADING:
            self._gems.addWidget(Skeleton(self._kit, self._kit.text("window.home.loading")))
        elif error := self._model.failure.value:
            self._gems.addWidget(
                NoticeBar(
                    self._kit, self._kit.failure(error), "error", action=self._kit.text("window.home.again"),
                    on_action=lambda: self._again(),
                )
            )  # fmt: skip
        elif self._model.offered:
            self._gems.addWidget(remark(self._kit, self._kit.text("window.home.none")))
        else:
            self._gems.addWidget(
                State(self._kit, self._kit.text("window.home.none"), self._kit.text("window.home.none_explained"))
            )

    def _fill_gems(self) -> None:
        section = Section(self._kit, self._kit.text("window.home.gems"))
        for gem in self._model.gems:
            self._cards[gem.id] = GemCard(self._kit, gem, self._remove)
            section.add(self._cards[gem.id])
        self._gems.addWidget(section)

    def _show_offers(self) -> None:
        _empty(self._offers)
        if not self._model.offered:
            return
        section = Section(self._kit, self._kit.text("window.home.offered"))
        for offer in self._model.offered:
            section.add(OfferRow(self._kit, self._model, offer))
        self._offers.addWidget(section)

    def _remove(self, gem: GemRow) -> None:
        # Owned by the page: the row goes when its gem is gone.
        self._kit.runner.run(self, "remove a gem", self._model.remove(gem))

    def _again(self) -> None:
        self._kit.runner.run(self, "read gems", self._model.read())

    def _go_to(self, place: Place) -> None:
        """Open the gem that the palette chose and bring it into sight."""
        card = self._cards.get(place.subject) if place.page is Page.HOME else None
        if card is not None:
            card.open()
            QTimer.singleShot(0, card, lambda: self.ensureWidgetVisible(card))


def _room(column: QVBoxLayout, kit: Kit) -> QVBoxLayout:
    """Return a place in the column whose widgets are exchanged."""
    holder = QWidget()
    room = QVBoxLayout(holder)
    room.setContentsMargins(0, 0, 0, 0)
    room.setSpacing(kit.theme.space.s)
    column.addWidget(holder)
    return room


def _empty(room: QVBoxLayout) -> None:
    while (item := room.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
