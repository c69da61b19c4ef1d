"""The page of the store: the list or one gem, as the place says."""

from collections.abc import Callable

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.store.gem_view import StoreGemView
from notochord.ui.store.list_view import StoreList
from notochord.viewmodels.store.model import StoreModel


class StorePage(QWidget):
    """Shows a `StoreModel`, which its maker starts and closes; `open_link` follows a link of an introduction."""

    def __init__(
        self, kit: Kit, model: StoreModel, open_link: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kit, self._model = kit, model
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self._stack = QStackedWidget()
        self.list = StoreList(kit, model)
        self.gem = StoreGemView(kit, model, open_link)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.gem)
        column.addWidget(PaneView(kit, model.state, self._stack, self._load))
        QShortcut(QKeySequence(QKeySequence.StandardKey.Back), self).activated.connect(self._back)
        bind(self, model.row, lambda _: self._show())

    def _show(self) -> None:
        self._stack.setCurrentWidget(self.list if self._model.row.value is None else self.gem)

    def _back(self) -> None:
        """Go where the arrow at the top of the view leads."""
        if self._model.row.value is None:
            self._model.go_home()
        else:
            self._model.go_to_list()

    def _load(self) -> None:
        self._kit.runner.run(self, "read the store", self._model.load())
