"""Builds the place where pages of gems are shown; the browser engine is loaded with the first of them."""

import sys
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from notochord.adapters.page_walls import can_wall_pages
from notochord.qt_adapters.opening import DesktopOpening
from notochord.ui.gem_page.place import GemPagePlaceView
from notochord.ui.gem_page.web import WebView
from notochord.viewmodels.gem_page.model import GemPageModel
from notochord.viewmodels.gem_page.place import GemPagePlace

if TYPE_CHECKING:
    from notochord.app.desktop.pages import Ground

CHILD = (sys.executable, "-I", "-m", "notochord", "--child", "page-walls")


def gem_page_place(ground: "Ground") -> QWidget:
    """Return the page of the window in which pages of gems stand."""
    services, opening = ground.services, DesktopOpening()

    def make_model(gem: str, page: str) -> GemPageModel:
        return GemPageModel(
            pages=services.gem_pages,
            events=services.events,
            clock=services.clock,
            gem=gem,
            page=page,
            open_link=opening.open_link,
            can_wall=lambda: can_wall_pages(CHILD),
        )

    place = GemPagePlace(navigation=ground.navigation, make=make_model)
    ground.screens.own(place)
    return GemPagePlaceView(ground.kit, place, make_web)


def make_web(model: GemPageModel) -> WebView:
    """Return the engine's view of a page; the first one starts the engine."""
    from notochord.qt_adapters.web import engine

    engine.prepare()
    from notochord.qt_adapters.web.view import GemWebView

    return GemWebView(model.gem, model)
