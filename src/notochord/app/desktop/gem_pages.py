"""Builds the place where pages of gems are shown; the browser engine is loaded with the first of them."""

import sys
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from notochord.adapters.page_walls import can_wall_pages
from notochord.qt_adapters.opening import DesktopOpening
from notochord.ui.gem_page.place import GemPagePlaceView
from notochord.ui.gem_page.web import WebView
from notochord.viewmodels.chat.beginning import talk_about
from notochord.viewmodels.gem_page.model import GemPageModel
from notochord.viewmodels.gem_page.place import GemPagePlace, subject_of
from notochord.viewmodels.shell.navigation import Page, Place

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
            ask_agent=ask,
            is_before_user=lambda: ground.navigation.place.value == Place(Page.GEM_PAGE, subject_of(gem, page)),
        )

    async def ask(gem: str, agent: str, about: str) -> None:
        await talk_about(about, gem, agent, ground.desk, ground.navigation)

    place = GemPagePlace(navigation=ground.navigation, make=make_model)
    ground.screens.own(place)
    return GemPagePlaceView(ground.kit, place, make_web)


def make_web(model: GemPageModel) -> WebView:
    """Return the engine's view of a page; the first one starts the engine."""
    from notochord.qt_adapters.web import engine

    engine.prepare()
    from notochord.qt_adapters.web.view import GemWebView

    return GemWebView(model.gem, model)
