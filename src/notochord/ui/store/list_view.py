"""The list of the store, searched while one types; what is known is there before the list is brought up to date."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.labels import remark, title
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.controls.scroll_page import ScrollPage
from notochord.ui.kit.controls.search_field import SearchField
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.tab_order import put_in_order
from notochord.ui.store.gem_card import GemCard
from notochord.viewmodels.store.model import StoreModel

MOST = 50
"""Gems that are shown at once; more on request."""


class StoreList(ScrollPage):
    """The first view of the store."""

    def __init__(self, kit: Kit, model: StoreModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.store.title"), parent)
        self._kit, self._model = kit, model
        self._most = MOST
        self.cards: list[GemCard] = []
        text, space = kit.text, kit.theme.space
        head = QHBoxLayout()
        head.setSpacing(space.s)
        head.addWidget(IconButton(kit, "chevron-left", text("window.store.home"), model.go_home))
        head.addWidget(title(kit, text("window.store.title")), 1)
        self.source = IconButton(kit, "sliders", text("window.store.source"), model.open_source)
        head.addWidget(self.source)
        self.refresh = IconButton(kit, "retry", text("window.store.refresh"), self._refresh)
        head.addWidget(self.refresh)
        self.column.addLayout(head)
        self.field = SearchField(kit, text("window.store.search"), self._search)
        self.column.addWidget(self.field)
        self._refreshing = remark(kit, text("window.store.refreshing"))
        self.column.addWidget(self._refreshing)
        self.offline = NoticeBar(
            kit, "", "warning", action=text("window.store.retry"), on_action=self._refresh
        )  # fmt: skip
        self.column.addWidget(self.offline)
        self._room = QVBoxLayout()
        self._room.setSpacing(space.s)
        self.column.addLayout(self._room)
        self.column.addStretch(1)
        bind(self, model.refreshing, self._show_refreshing)
        bind(self, model.failure, lambda _: self._show_failure())
        bind_list(self, model.rows, self._show)
        bind(self, model.empty, lambda _: self._show())
        bind(self, model.work, lambda _: self._show_work())
        bind(self, model.failures, lambda _: self._show_work())

    def _search(self, words: str) -> None:
        self._most = MOST
        self._model.search(words)

    def _refresh(self) -> None:
        self._kit.runner.run(self, "refresh the store", self._model.refresh())

    def _show_refreshing(self, refreshing: bool) -> None:
        self._refreshing.setVisible(refreshing)
        self.refresh.setEnabled(not refreshing)

    def _show_failure(self) -> None:
        error = self._model.failure.value
        self.offline.setVisible(error is not None)
        if error is not None:
            self.offline.tell(self._kit.text("window.store.offline", failure=self._kit.failure(error)))

    def _show(self) -> None:
        held = next((card.gem.id for card in self.cards if card.hasFocus()), "")
        while (item := self._room.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        rows = list(self._model.rows)
        self.cards = [GemCard(self._kit, self._model, row) for row in rows[: self._most]]
        for card in self.cards:
            self._room.addWidget(card)
            if card.gem.id == held:
                card.setFocus()
        if len(rows) > self._most:
            self._room.addWidget(Button(self._kit, self._kit.text("window.store.more"), self._more))
        if not rows:
            which = "empty" if self._model.empty.value else "nothing"
            text = self._kit.text
            self._room.addWidget(State(self._kit, text(f"window.store.{which}"), text(f"window.store.{which}.said")))
        put_in_order(self.column)

    def _more(self) -> None:
        self._most += MOST
        self._show()

    def _show_work(self) -> None:
        for card in self.cards:
            card.show_work()
