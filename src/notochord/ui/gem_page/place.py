"""Shows the page of a gem that is open, one after the other."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.ui.gem_page.view import GemPageView
from notochord.ui.gem_page.web import MakeWeb
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.lead import Lead
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.gem_page.model import GemPageModel
from notochord.viewmodels.gem_page.place import GemPagePlace


class GemPagePlaceView(Lead):
    """Shows a `GemPagePlace`, which its maker closes."""

    def __init__(self, kit: Kit, place: GemPagePlace, make_web: MakeWeb, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._place, self._make_web = kit, place, make_web
        self.view: GemPageView | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        bind(self, place.current, self._show)

    def _show(self, model: GemPageModel | None) -> None:
        before, self.view = self.view, None
        if before is not None:
            self._give_up(before)
        if model is not None:
            self.view = GemPageView(self._kit, model, self._make_web, self._place.back)
            self._column.addWidget(self.view)
            self.lead_to(self.view)

    def _give_up(self, view: GemPageView) -> None:
        view.hide()
        self._column.removeWidget(view)
        if view.web is None:
            view.deleteLater()
        else:
            close = view.web.close_page()
            self._kit.runner.run(self, "close a page", close, done=lambda _: view.deleteLater())
