"""The page of the store: follows the place to the list or to one gem, and what is being installed meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime
from notochord.services.gems.api import GemInstalled, GemRemoved
from notochord.services.store.api import ListedGem, Listing, Store, StoreListed
from notochord.viewmodels.gem.introduction import IntroductionModel
from notochord.viewmodels.gem.shown import GemShown, shown_of
from notochord.viewmodels.settings.pane import LOADING, READY, Pane, PaneState
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.store.prompts import prompt_in
from notochord.viewmodels.store.rows import StoreRow, answers, row_of


@dataclass(frozen=True, slots=True)
class Arriving:
    """How much of a package is here; `whole` is 0 while that is not known."""

    here: int = 0
    whole: int = 0

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.here / self.whole if self.whole else 0.0


class StoreModel:
    """`say` begins a conversation with a text in the composer; without it prompts are only shown.

    What is being installed goes on when its page is left.
    """

    def __init__(
        self, *, store: Store, events: EventBus, navigation: Navigation, language: str,
        say: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._events = events
        self._navigation = navigation
        self._language = language
        self._say = say
        self._lifetime = Lifetime("store")
        self._in_turn = asyncio.Lock()
        self._heard: list[Unsubscribe] = []
        self._all: list[ListedGem] = []
        self._running: dict[str, asyncio.Task[None]] = {}
        self.state: Observable[PaneState] = Observable(LOADING)
        self.words: Observable[str] = Observable("")
        self.rows: ObservableList[StoreRow] = ObservableList()
        self.empty: Observable[bool] = Observable(False)
        """The store has no gem at all, whatever is searched."""

        self.refreshing: Observable[bool] = Observable(False)
        self.failure: Observable[NotochordError | None] = Observable(None)
        """Why the list could not be brought up to date; what is known is shown."""

        self.gem: Observable[str] = Observable("")
        """The gem that is shown, "" for the list."""

        self.row: Observable[StoreRow | None] = Observable(None)
        self.shown: Observable[GemShown | None] = Observable(None)
        self.work: Observable[Mapping[str, Arriving]] = Observable({})
        self.failures: Observable[Mapping[str, NotochordError]] = Observable({})
        """Why a gem could not be installed, until it is tried again."""

        self.introduction = IntroductionModel(documents=store, language=language)
        self.open_page: Callable[[str, str], None] | None = None
        """Pages of a gem can be opened once it is installed."""

    @property
    def can_say(self) -> bool:
        return self._say is not None

    async def start(self) -> None:
        """Show what is known, go where the place says, and bring the list up to date."""
        kinds = (GemInstalled, GemRemoved, StoreListed)
        self._heard = [self._events.subscribe(kind, lambda _: self._again()) for kind in kinds]
        self._heard.append(self._navigation.place.watch(self._moved))
        await self.load()
        await self._go_to(self._navigation.place.value)
        await self.refresh()

    async def close(self) -> None:
        """Follow nothing any more; what is being downloaded ends."""
        for unsubscribe in self._heard:
            unsubscribe()
        await self._lifetime.close()

    async def load(self) -> None:
        """Show what is known on this computer."""
        async with self._in_turn:  # one after the other: what is read last is shown last
            try:
                await self._take(await self._store.known())
            except NotochordError as error:
                self.state.set(PaneState(Pane.FAILED, error))

    async def refresh(self) -> None:
        """Bring the list up to date; a failure is told by `failure`."""
        if self.refreshing.value:
            return
        self.refreshing.set(True)
        try:
            listing = await self._store.refresh()
        except NotochordError as error:
            self.state.set(PaneState(Pane.FAILED, error))
            return
        finally:
            self.refreshing.set(False)
        self.failure.set(listing.failure)
        await self.load()

    def search(self, words: str) -> None:
        """Show the gems in which all of these words stand."""
        self.words.set(words)
        rows = [row_of(one, self._language) for one in self._all]
        self.rows.reset(sorted((row for row in rows if answers(row, words)), key=lambda row: row.name.casefold()))

    def open_gem(self, gem: str) -> None:
        """Show a gem's introduction."""
        self._navigation.go(Page.STORE, gem)

    def open_installed(self, gem: str) -> None:
        """Go to the page of an installed gem."""
        self._navigation.go(Page.GEM, gem)

    def go_to_list(self) -> None:
        self._navigation.go(Page.STORE)

    def open_source(self) -> None:
        """Go to the settings in which stands where the list comes from."""
        self._navigation.go(Page.SETTINGS, "network")

    def go_home(self) -> None:
        self._navigation.go(Page.HOME)

    def install(self, gem: str) -> None:
        """Install or update a gem, and open its page if the store is still shown then (GEMUI-006, GEMUI-009)."""
        if gem in self._running:
            return
        self.failures.set({name: error for name, error in self.failures.value.items() if name != gem})
        self.work.set({**self.work.value, gem: Arriving()})
        self._running[gem] = self._lifetime.start(f"install {gem}", self._install(gem))

    def cancel(self, gem: str) -> None:
        """Stop a download; once the package is being installed it is finished."""
        if (task := self._running.get(gem)) is not None:
            task.cancel()

    async def say(self, prompt: str) -> None:
        """Begin a conversation with a prompt of the introduction in the composer; `prompt` names its chapter."""
        chapter = next((one for one in self.introduction.chapters if one.name == prompt), None)
        if chapter is not None and self._say is not None:
            await self._say(prompt_in(chapter.text))

    async def _install(self, gem: str) -> None:
        def arrived(here: int, whole: int) -> None:
            self.work.set({**self.work.value, gem: Arriving(here, whole)})

        try:
            await self._store.install(gem, arrived=arrived)
        except NotochordError as error:
            self.failures.set({**self.failures.value, gem: error})
            return
        finally:
            self._running.pop(gem, None)
            self.work.set({name: one for name, one in self.work.value.items() if name != gem})
        if self._navigation.place.value.page is Page.STORE:
            self.open_installed(gem)

    async def _take(self, listing: Listing) -> None:
        self._all = list(listing.gems)
        self.empty.set(not self._all)
        self.search(self.words.value)
        self.state.set(READY)
        await self._show()

    async def _show(self) -> None:
        gem = self.gem.value
        found = next((one for one in self._all if one.dossier.gem.id == gem), None)
        if found is None:
            self.row.set(None)
            self.shown.set(None)
            if gem:  # it was taken from the list
                self.gem.set("")
            return
        row = row_of(found, self._language)
        self.row.set(row)
        self.shown.set(shown_of(found.dossier))
        await self.introduction.load(found.dossier)

    async def _go_to(self, place: Place) -> None:
        if place.page is Page.STORE:
            self.gem.set(place.subject)
            await self._show()

    def _moved(self, place: Place) -> None:
        with suppress(RuntimeError):  # closed in between
            _ = self._lifetime.start("go in the store", self._go_to(place))

    def _again(self) -> None:
        with suppress(RuntimeError):  # closed in between
            _ = self._lifetime.start("read the store", self.load())
