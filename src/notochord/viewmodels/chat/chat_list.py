"""The list of conversations: pinned and recent, the state of each, and what can be done with one."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime
from notochord.services.chat.api import Chat, ChatChanged, Chats, Found
from notochord.viewmodels.chat.reconciling import reconcile

MOST_FOUND = 50


@dataclass(frozen=True, slots=True)
class Hit:
    """A conversation in which words were found: `entry` is empty when its title has them."""

    chat: Chat
    entry: str
    text: str


class Heading(StrEnum):
    """What stands over a part of the list."""

    PINNED = "pinned"
    RECENT = "recent"


@dataclass(frozen=True, slots=True)
class HeadingRow:
    """A line with a heading."""

    heading: Heading


Row: TypeAlias = HeadingRow | Chat | Hit
"""What stands in one line of the list."""


class ChatListModel:
    """`rows` is what is seen: pinned and recent conversations under their headings, or `hits` while `words` are asked.

    Both parts are last active first.
    """

    def __init__(self, *, chats: Chats, events: EventBus) -> None:
        self.rows: ObservableList[Row] = ObservableList()
        self.pinned: ObservableList[Chat] = ObservableList()
        self.recent: ObservableList[Chat] = ObservableList()
        self.words: Observable[str] = Observable("")
        self.hits: ObservableList[Hit] = ObservableList()
        self.searching: Observable[bool] = Observable(False)
        self.loaded: Observable[bool] = Observable(False)
        self._chats = chats
        self._lifetime = Lifetime("chat list")
        self._known: dict[str, Chat] = {}
        self._changed: dict[str, None] = {}
        self._following = False
        self._subscriptions: list[Unsubscribe] = [events.subscribe(ChatChanged, lambda event: self._hear(event.chat))]

    async def start(self) -> None:
        """Read the conversations; those that change meanwhile are read again."""
        for chat in await self._chats.all():
            self._known.setdefault(chat.id, chat)
        self._arrange()
        self.loaded.set(True)

    async def close(self) -> None:
        """Hear no more."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        await self._lifetime.close()

    def find(self, chat: str) -> Chat | None:
        """Return a conversation of the list."""
        return self._known.get(chat)

    # -- commands

    async def rename(self, chat: str, title: str) -> None:
        """Raises INPUT_INVALID for a title without a visible character."""
        await self._chats.rename(chat, title)

    async def pin(self, chat: str, pinned: bool) -> None:
        """Put a conversation under the pinned ones, or back under the recent ones."""
        await self._chats.pin(chat, pinned)

    async def delete(self, chat: str) -> None:
        """Delete a conversation for good; who asks has said what goes. Raises DISK_IO when a file resisted."""
        await self._chats.delete(chat)

    async def search(self, words: str) -> None:
        """Show where titles and texts hold all of the words; no words show the list again."""
        self.words.set(words.strip())
        if not self.words.value:
            self.hits.reset(())
            self._show()
            return
        self.searching.set(True)
        try:
            found = await self._chats.search(self.words.value, most=MOST_FOUND)
        finally:
            self.searching.set(False)
        if self.words.value == words.strip():
            self.hits.reset(self._as_hits(found))
            self._show()

    # -- following

    def _hear(self, chat: str) -> None:
        self._changed[chat] = None
        if not self._following:
            self._following = True
            _ = self._lifetime.start("follow", self._follow())

    async def _follow(self) -> None:
        """Read what changed, each once however often it was told of."""
        try:
            while self._changed:
                chat = next(iter(self._changed))
                del self._changed[chat]
                await self._read(chat)
        finally:
            self._following = False

    async def _read(self, chat: str) -> None:
        try:
            found = await self._chats.get(chat)
        except NotochordError as error:
            if error.code is not Code.CHAT_UNKNOWN:
                raise
            self._known.pop(chat, None)
        else:
            if found.parent:
                return
            self._known[chat] = found
        self._arrange()

    def _arrange(self) -> None:
        ordered = sorted(self._known.values(), key=lambda chat: (chat.changed_at, chat.id), reverse=True)
        self.pinned.reset(chat for chat in ordered if chat.pinned)
        self.recent.reset(chat for chat in ordered if not chat.pinned)
        left = [hit for hit in self.hits if hit.chat.id in self._known]
        self.hits.reset(Hit(self._known[hit.chat.id], hit.entry, hit.text) for hit in left)
        self._show()

    def _show(self) -> None:
        if self.words.value:
            reconcile(self.rows, list(self.hits), _key)
            return
        pinned: list[Row] = [HeadingRow(Heading.PINNED), *self.pinned] if self.pinned else []
        recent: list[Row] = [HeadingRow(Heading.RECENT), *self.recent] if self.recent else []
        reconcile(self.rows, [*pinned, *recent], _key)

    def _as_hits(self, found: Iterable[Found]) -> list[Hit]:
        return [Hit(self._known[one.chat], one.entry, one.text) for one in found if one.chat in self._known]


def _key(row: Row) -> str:
    match row:
        case HeadingRow(heading):
            return f"heading {heading}"
        case Hit(chat, entry):
            return f"hit {chat.id} {entry}"
        case _:
            return row.id
