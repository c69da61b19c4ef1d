"""Where the user is: the page that the main window shows, and what on it."""

from dataclasses import dataclass
from enum import StrEnum

from notochord.core.observable import Observable

OF_ENTRY = "#"
"""Separates the id of a chat from that of a message in a place's subject."""


class Page(StrEnum):
    """The pages of the main window, in the order of the sidebar; a gem's page is reached from Home."""

    HOME = "home"
    GEM = "gem"
    CHAT = "chat"
    SETTINGS = "settings"
    CONNECT_MODEL = "connect_model"
    GEM_PAGE = "gem_page"


@dataclass(frozen=True, slots=True)
class Place:
    """A page; `subject` is a chat's id on CHAT ("" is a new chat), a section's name on SETTINGS,
    a gem on GEM (see `viewmodels.gem.place`), "gem/page" on GEM_PAGE."""

    page: Page
    subject: str = ""


class Navigation:
    """Goes to places; pages watch `place`."""

    def __init__(self, start: Place | None = None) -> None:
        self.place: Observable[Place] = Observable(start or Place(Page.HOME))
        self.model_connected: Observable[bool] = Observable(True)

    def go(self, page: Page, subject: str = "") -> None:
        """Show the page. Chat without a connected model leads to the page that connects one (SETUP-051)."""
        if page is Page.CHAT and not self.model_connected.value:
            page, subject = Page.CONNECT_MODEL, ""
        self.place.set(Place(page, subject))
