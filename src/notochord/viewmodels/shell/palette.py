"""The command palette: everything that can be gone to or done, found by a few letters."""

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from notochord.core.errors import NotochordError
from notochord.core.observable import Observable, ObservableList
from notochord.core.sentences import Sentences
from notochord.viewmodels.shell.matching import match
from notochord.viewmodels.shell.navigation import OF_ENTRY, Navigation, Page

if TYPE_CHECKING:
    from notochord.services.chat.api import Chats
    from notochord.services.gems.api import Gem, Gems

MOST = 40
MOST_MESSAGES = 12
LEAST_TEXT = 2
"""Characters from which on messages are searched."""


class PaletteKind(StrEnum):
    """What an item is, in the order in which items stand while nothing is typed."""

    ACTION = "action"
    CHAT = "chat"
    SETTING = "setting"
    GEM = "gem"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """Something to choose. `remark` stands softly beside `title`, `shortcut` is how Qt writes a key sequence."""

    kind: PaletteKind
    title: str
    choose: Callable[[], None]
    remark: str = ""
    icon: str = ""
    shortcut: str = ""


@dataclass(frozen=True, slots=True)
class FoundItem:
    """An item, and the places in its title that answer to what was typed."""

    item: PaletteItem
    places: tuple[int, ...] = ()


class PaletteProvider(Protocol):
    """A source of items."""

    async def items(self) -> Sequence[PaletteItem]:
        """Return what can be chosen now. May raise NotochordError; the other sources are shown then."""


class PaletteTexts(Protocol):
    """A source that looks into long texts for the words themselves."""

    async def holding(self, words: str) -> Sequence[FoundItem]:
        """Return what holds all of the words, best first. May raise NotochordError."""


class Palette:
    """What is typed, and what answers to it, best first. `items` stand there until the sources have answered.

    What `texts` finds for the words stands below all else, as soon as it has answered.
    """

    def __init__(
        self,
        providers: Iterable[PaletteProvider],
        items: Iterable[PaletteItem] = (),
        *,
        texts: PaletteTexts | None = None,
    ) -> None:
        self._texts = texts
        self.words: Observable[str] = Observable("")
        self.found: ObservableList[FoundItem] = ObservableList()
        self._providers = tuple(providers)
        self._offered: list[PaletteItem] = []
        self._items = list(items)
        self.search("")

    def offer(self, items: Iterable[PaletteItem]) -> None:
        """Add what can always be chosen: the window's own commands."""
        new = list(items)
        self._offered += new
        self._items = [*new, *self._items]
        self.search(self.words.value)

    async def open(self) -> None:
        """Take in what can be chosen now. Raises NotochordError after the other sources are shown."""
        found = list(self._offered)
        failures: list[NotochordError] = []
        for provider in self._providers:
            try:
                found += await provider.items()
            except NotochordError as error:
                failures.append(error)
        self._items = found
        self.search(self.words.value)
        if failures:
            raise failures[0]

    def search(self, words: str) -> None:
        """Show what answers to the words: at most `MOST`; without words, everything by kind."""
        self.words.set(words)
        if not words.strip():
            order = list(PaletteKind)
            shown = sorted(self._items, key=lambda item: order.index(item.kind))[:MOST]
            self.found.reset(FoundItem(item) for item in shown)
            return
        rated = []
        for place, item in enumerate(self._items):
            if (found := match(words, item.title)) is not None:
                rated.append((-found.score, place, FoundItem(item, found.places)))
        self.found.reset(one for *_, one in heapq.nsmallest(MOST, rated))

    async def search_texts(self) -> None:
        """Add the texts that hold the words, unless others are typed meanwhile. Raises NotochordError."""
        words = self.words.value
        if self._texts is None or len(words.strip()) < LEAST_TEXT:
            return
        found = await self._texts.holding(words)
        if words == self.words.value and found:
            self.found.extend(found)


class SectionsInPalette:
    """The sections of Settings: (name as in `Place.subject`, key of the sentence that is its title).

    They are asked for when the palette is opened, so that the settings need not be loaded before.
    """

    def __init__(
        self, sentences: Sentences, navigation: Navigation, sections: Callable[[], Sequence[tuple[str, str]]]
    ) -> None:
        self._sentences = sentences
        self._navigation = navigation
        self._sections = sections

    async def items(self) -> Sequence[PaletteItem]:
        """See `PaletteProvider.items`."""
        remark = self._sentences.sentence("window.shell.settings")
        return [
            PaletteItem(PaletteKind.SETTING, self._sentences.sentence(key), self._open(name), remark, "settings")
            for name, key in self._sections()
        ]

    def _open(self, name: str) -> Callable[[], None]:
        return lambda: self._navigation.go(Page.SETTINGS, name)


class ChatsInPalette:
    """The conversations, by title, last active first."""

    def __init__(self, sentences: Sentences, navigation: Navigation, chats: "Chats") -> None:
        self._sentences = sentences
        self._navigation = navigation
        self._chats = chats

    async def items(self) -> Sequence[PaletteItem]:
        """See `PaletteProvider.items`."""
        untitled = self._sentences.sentence("window.shell.untitled")
        return [
            PaletteItem(PaletteKind.CHAT, chat.title or untitled, self._open(chat.id), icon="chat")
            for chat in await self._chats.all()
        ]

    def _open(self, chat: str) -> Callable[[], None]:
        return lambda: self._navigation.go(Page.CHAT, chat)


class MessagesInPalette:
    """Messages that hold the words, each with its conversation's title; choosing one goes to it."""

    def __init__(self, sentences: Sentences, navigation: Navigation, chats: "Chats") -> None:
        self._sentences = sentences
        self._navigation = navigation
        self._chats = chats

    async def holding(self, words: str) -> Sequence[FoundItem]:
        """See `PaletteTexts.holding`."""
        untitled = self._sentences.sentence("window.shell.untitled")
        found = await self._chats.search(words, most=MOST_MESSAGES)
        titles = {chat.id: chat.title or untitled for chat in await self._chats.all()} if found else {}
        return [
            FoundItem(
                PaletteItem(
                    PaletteKind.MESSAGE, place.text, self._open(place.chat, place.entry), titles[place.chat], "search"
                ),
                places.places if (places := match(words, place.text)) else (),
            )
            for place in found
            if place.entry and place.chat in titles
        ]

    def _open(self, chat: str, entry: str) -> Callable[[], None]:
        return lambda: self._navigation.go(Page.CHAT, f"{chat}{OF_ENTRY}{entry}")


class GemsInPalette:
    """The installed gems, with the name and the description that `told` gives them; choosing one opens its page."""

    def __init__(self, navigation: Navigation, gems: "Gems", told: Callable[["Gem"], tuple[str, str]]) -> None:
        self._navigation = navigation
        self._gems = gems
        self._told = told

    async def items(self) -> Sequence[PaletteItem]:
        """See `PaletteProvider.items`."""
        found = [(gem, *self._told(gem)) for gem in await self._gems.all()]
        return [PaletteItem(PaletteKind.GEM, name, self._open(gem.id), said, "gem") for gem, name, said in found]

    def _open(self, gem: str) -> Callable[[], None]:
        return lambda: self._navigation.go(Page.GEM, gem)
