"""What asks for the user's attention: what waits for them, what ended while they were not looking, what is at work."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime
from notochord.services.settings.api import Settings
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.shell.preferences import NOTIFY, UNREAD

if TYPE_CHECKING:  # loaded in `start`: the window is painted before
    from notochord.services.approvals.api import Approval, ApprovalDecided, ApprovalRequested, Approvals
    from notochord.services.chat.api import Chat, ChatChanged, Chats

MOST_UNREAD = 500
WORKING = ("answering", "waiting")
FAILED = "failed"
"""Values of `ChatState`."""


class WaitsFor(StrEnum):
    """What the user is asked to do about something that waits."""

    APPROVAL = "approval"
    PLAN = "plan"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that goes on only with the user. `chat` is where it is answered; `approval` is empty for a failure.

    `subject` says what exactly is asked about (a gem, a tool, a host), `arguments` are the exact ones as JSON; `at` is
    in milliseconds since 1970.
    """

    wants: WaitsFor
    chat: str
    title: str
    subject: str = ""
    approval: str = ""
    arguments: str = ""
    at: int = 0


@dataclass(frozen=True, slots=True)
class Running:
    """A conversation whose answer is being written."""

    chat: str
    title: str


class Occasion(StrEnum):
    """Why the user is called, as the last part of a sentence's key."""

    FINISHED = "finished"
    FAILED = "failed"
    WAITS = "waits"


@dataclass(frozen=True, slots=True)
class Summons:
    """A call for a user who does not look: the chat's title is all that it tells of the content."""

    occasion: Occasion
    title: str
    place: Place


class Attention:
    """Follows conversations and approvals; `window_active` is set by the window."""

    def __init__(
        self, *, chats: "Chats", approvals: "Approvals", settings: Settings, events: EventBus, navigation: Navigation,
        summon: Callable[[Summons], None],
    ) -> None:  # fmt: skip
        self.waiting: ObservableList[Waiting] = ObservableList()
        self.running: ObservableList[Running] = ObservableList()
        self.unread: Observable[frozenset[str]] = Observable(frozenset())
        self.window_active: Observable[bool] = Observable(False)
        self._chats_door = chats
        self._approvals = approvals
        self._settings = settings
        self._events = events
        self._navigation = navigation
        self._summon = summon
        self._chats: dict[str, Chat] = {}
        self._pending: dict[str, Approval] = {}
        self._at_work: set[str] = set()
        self._lifetime = Lifetime("attention")
        self._in_turn = asyncio.Lock()
        self._watched: list[Unsubscribe] = []

    async def start(self) -> None:
        """Look at how everything stands, and follow it from here on. Raises NotochordError as the doors do."""
        from notochord.services.approvals.api import ApprovalDecided, ApprovalRequested
        from notochord.services.chat.api import ChatChanged, ChatEvent

        subscribe = self._events.subscribe
        self._watched = [
            subscribe(ChatChanged, self._chat_changed),
            subscribe(ChatEvent, lambda event: self._at_work.add(event.chat)),
            subscribe(ApprovalRequested, self._requested),
            subscribe(ApprovalDecided, self._decided),
            self._navigation.place.watch(lambda _: self._seen()),
            self.window_active.watch(lambda _: self._seen()),
        ]
        async with self._in_turn:
            self._chats = {chat.id: chat for chat in await self._chats_door.all()}
        self._pending |= {approval.id: approval for approval in await self._approvals.pending()}
        self.unread.set(frozenset(self._settings.current(UNREAD).split()) & self._chats.keys())
        for approval in self._pending.values():
            await self._learn(_conversation(approval))
        self._show()

    async def close(self) -> None:
        """Follow nothing any more; what is unread is kept for the next start."""
        started = bool(self._watched)
        for unsubscribe in self._watched:
            unsubscribe()
        await self._lifetime.close()
        kept = _written(self.unread.value)
        if started and self._settings.current(UNREAD) != kept:
            await self._settings.change(UNREAD, kept)

    def in_sight(self, chat: str) -> bool:
        """Tell whether the user looks at this conversation now."""
        place = self._navigation.place.value
        return self.window_active.value and place == Place(Page.CHAT, chat)

    def _chat_changed(self, event: "ChatChanged") -> None:
        _ = self._lifetime.start("chat", self._look_at(event.chat))

    def _requested(self, event: "ApprovalRequested") -> None:
        self._pending[event.approval.id] = event.approval
        _ = self._lifetime.start("approval", self._tell_of(event.approval))

    def _decided(self, event: "ApprovalDecided") -> None:
        self._pending.pop(event.approval.id, None)
        self._show()

    async def _tell_of(self, approval: "Approval") -> None:
        chat = await self._learn(_conversation(approval))
        self._show()
        if approval.id in self._pending and chat is not None:
            self._call(Occasion.WAITS, self._root(chat))

    async def _look_at(self, identifier: str) -> None:
        async with self._in_turn:  # one after the other: what is read last is held last
            await self._take_in(identifier)

    async def _take_in(self, identifier: str) -> None:
        try:
            now = await self._chats_door.get(identifier)
        except NotochordError:
            self._chats.pop(identifier, None)
            self._read(identifier)
        else:
            before, self._chats[identifier] = self._chats.get(identifier), now
            self._judge(before, now)
        self._show()

    def _judge(self, before: "Chat | None", now: "Chat") -> None:
        """Tell of an answer that ended out of sight; what a sub-agent ended is its conversation's own affair.

        An answer may be over before anybody looked: then its events, or that it failed now, tell of it.
        """
        if now.state in WORKING:
            return
        worked = now.id in self._at_work or (before is not None and before.state in WORKING)
        self._at_work.discard(now.id)
        failed_now = now.state == FAILED and before is not None and before.state != FAILED
        if now.parent or not (worked or failed_now):
            return
        if self.in_sight(now.id):
            return
        self._set_unread(self.unread.value | {now.id})
        self._call(Occasion.FAILED if now.state == FAILED else Occasion.FINISHED, now)

    async def _learn(self, identifier: str) -> "Chat | None":
        """Return the conversation with this id, with its parents known too; None if there is none."""
        chat = self._chats.get(identifier)
        if chat is None and identifier:
            try:
                chat = self._chats.setdefault(identifier, await self._chats_door.get(identifier))
            except NotochordError:
                return None
        if chat is not None and chat.parent:
            await self._learn(chat.parent)
        return chat

    def _root(self, chat: "Chat") -> "Chat":
        return self._root(self._chats[chat.parent]) if chat.parent in self._chats else chat

    def _call(self, occasion: Occasion, chat: "Chat") -> None:
        if self._settings.current(NOTIFY) and not self.in_sight(chat.id):
            self._summon(Summons(occasion, chat.title, Place(Page.CHAT, chat.id)))

    def _seen(self) -> None:
        place = self._navigation.place.value
        if self.window_active.value and place.page is Page.CHAT:
            self._read(place.subject)

    def _read(self, chat: str) -> None:
        if chat in self.unread.value:
            self._set_unread(self.unread.value - {chat})
            self._show()

    def _set_unread(self, chats: Iterable[str]) -> None:
        self.unread.set(frozenset(sorted(chats)[-MOST_UNREAD:]))
        _ = self._lifetime.start("unread", self._settings.change(UNREAD, _written(self.unread.value)))

    def _show(self) -> None:
        asked = [self._question(approval) for approval in self._pending.values()]
        failed = [
            Waiting(WaitsFor.FAILURE, chat.id, chat.title, at=chat.changed_at)
            for chat in self._chats.values()
            if chat.state == FAILED and chat.id in self.unread.value
        ]
        self.waiting.reset(sorted((*asked, *failed), key=lambda one: one.at))
        self.running.reset(
            Running(chat.id, chat.title) for chat in self._chats.values() if chat.state in WORKING and not chat.parent
        )

    def _question(self, approval: "Approval") -> Waiting:
        question = approval.question
        chat = self._chats.get(_conversation(approval))
        root = self._root(chat) if chat else None
        wants = WaitsFor.PLAN if question.kind == "plan" else WaitsFor.APPROVAL
        subject = "" if wants is WaitsFor.PLAN else question.subject
        at, arguments = approval.asked_at, question.arguments
        where, title = (root.id, root.title) if root else ("", "")
        return Waiting(wants, where, title, subject, approval.id, arguments, at)


def _conversation(approval: "Approval") -> str:
    return approval.question.caller.cause.conversation


def _written(chats: Iterable[str]) -> str:
    return " ".join(sorted(chats))
