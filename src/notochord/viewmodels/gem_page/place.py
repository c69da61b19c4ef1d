"""Which page of a gem stands in the window: opened when the user goes there, closed when another takes its place."""

from collections.abc import Callable

from notochord.core.observable import Observable
from notochord.core.tasks import Lifetime
from notochord.viewmodels.gem_page.model import GemPageModel
from notochord.viewmodels.shell.navigation import Navigation, Page, Place

MakeModel = Callable[[str, str], GemPageModel]


def subject_of(gem: str, page: str) -> str:
    """Return the subject of `Page.GEM_PAGE` for a page."""
    return f"{gem}/{page}"


class GemPagePlace:
    """A page stays open while the user is elsewhere in the window, until another page of a gem is opened."""

    def __init__(self, *, navigation: Navigation, make: MakeModel) -> None:
        self.current: Observable[GemPageModel | None] = Observable(None)
        self._navigation = navigation
        self._make = make
        self._subject = ""
        self._lifetime = Lifetime("pages of gems")
        self._unwatch = navigation.place.watch(self._go)
        self._go(navigation.place.value)

    async def close(self) -> None:
        """Close the page that is open."""
        self._unwatch()
        await self._lifetime.close()
        if (model := self.current.value) is not None:
            await model.close()

    def back(self) -> None:
        """Go to the gem that the page belongs to."""
        if (model := self.current.value) is not None:
            self._navigation.go(Page.GEM, model.gem)

    def _go(self, place: Place) -> None:
        gem, slash, page = place.subject.partition("/")
        if place.page is not Page.GEM_PAGE or not slash or place.subject == self._subject:
            return
        self._subject = place.subject
        before = self.current.value
        model = self._make(gem, page)
        self.current.set(model)
        if before is not None:
            _ = self._lifetime.start("close the page before", before.close())
        _ = self._lifetime.start("open a page", model.start())
