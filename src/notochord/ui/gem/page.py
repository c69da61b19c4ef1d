"""The page of an installed gem, its data and its introduction: one at a time, as the place says."""

from collections.abc import Callable

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from notochord.ui.gem.data_view import DataView
from notochord.ui.gem.introduction_view import IntroductionView
from notochord.ui.gem.main_view import MainView
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.pane_view import PaneView
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.place import GemPlace, View


class GemPage(QWidget):
    """Shows a `GemModel`, which its maker starts and closes; `open_link` follows a link of an introduction."""

    def __init__(
        self, kit: Kit, model: GemModel, open_link: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kit, self._model = kit, model
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self._stack = QStackedWidget()
        self.main = MainView(kit, model)
        self.data = DataView(kit, model)
        self.introduction = IntroductionView(kit, model, open_link)
        self._views: dict[View, QWidget] = {
            View.MAIN: self.main,
            View.DATA: self.data,
            View.INTRODUCTION: self.introduction,
        }
        for view in self._views.values():
            self._stack.addWidget(view)
        column.addWidget(PaneView(kit, model.state, self._stack, self._load))
        QShortcut(QKeySequence(QKeySequence.StandardKey.Back), self).activated.connect(self._back)
        bind(self, model.place, self._show)

    def _show(self, place: GemPlace) -> None:
        before = self._stack.currentWidget()
        view = self._views[place.view]
        self._stack.setCurrentWidget(view)
        if view is not before and place.view is View.MAIN:
            self.main.verticalScrollBar().setValue(0)

    def _back(self) -> None:
        """Go where the arrow at the top of the view leads."""
        if self._model.place.value.view is View.MAIN:
            self._model.go_home()
        else:
            self._model.go_to(View.MAIN)

    def _load(self) -> None:
        self._kit.runner.run(self, "read a gem", self._model.load())
