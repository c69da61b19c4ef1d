"""Messages on their way: one is answered, the others wait for their turn, and none is lost when something fails."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime
from notochord.services.chat.api import ChatChanged, Chats, Outgoing, Queued, TurnBegun


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message that waits; `key` tells it from one with the same text."""

    key: int
    text: str
    attachments: tuple[Path, ...] = ()


class Outbox:
    """Sends one after the other. `held`: something failed or was stopped, the user says when it goes on.

    `kept` is called after each change of what is not on its way yet; `sent` with the files of a message that is
    recorded; `refused` with a message that could not be recorded and why.
    """

    def __init__(
        self,
        chat: str,
        *,
        chats: Chats,
        events: EventBus,
        kept: Callable[[], None],
        sent: Callable[[tuple[Path, ...]], None],
        refused: Callable[[Waiting, NotochordError], None],
    ) -> None:
        self.queue: ObservableList[Waiting] = ObservableList()
        self.busy: Observable[bool] = Observable(False)
        self.held: Observable[bool] = Observable(False)
        self.error: Observable[NotochordError | None] = Observable(None)
        self._chat = chat
        self._chats = chats
        self._kept = kept
        self._sent = sent
        self._refused = refused
        self._lifetime = Lifetime(f"outbox {chat}")
        self._in_flight: Waiting | None = None
        self._blocked = self._replaces = False
        self._made = 0
        self._subscriptions: list[Unsubscribe] = [
            events.subscribe(TurnBegun, self._begun),
            events.subscribe(ChatChanged, self._changed),
        ]

    def waiting(self) -> tuple[Queued, ...]:
        """Return what is not recorded yet, in its order."""
        all_of_it = (*([self._in_flight] if self._in_flight else []), *self.queue)
        return tuple(Queued(message.text, message.attachments) for message in all_of_it)

    def restore(self, messages: Iterable[Queued]) -> None:
        """Show what waited when the program ended; it is sent when the user says so."""
        found = [self._message(message.text, message.attachments) for message in messages]
        self.queue.extend(found)
        self.held.set(bool(found))

    def post(self, text: str, attachments: tuple[Path, ...] = ()) -> None:
        """Send a message, or let it wait while an answer is under way."""
        self.queue.append(self._message(text, attachments))
        self._kept()
        self._pump()

    def take_out(self, key: int) -> Waiting | None:
        """Take a message out that waits; None if it is on its way already."""
        for at, message in enumerate(self.queue):
            if message.key == key:
                self.queue.remove(at)
                self.held.set(self.held.value and bool(self.queue))
                self._kept()
                return message
        return None

    def resume(self) -> None:
        """Go on with what waits."""
        self.held.set(False)
        self._pump()

    def retry(self, entry: str) -> None:
        """Answer a message of the user anew. While an answer is under way nothing happens."""
        if self.busy.value:
            return
        self._start("retry", lambda: self._chats.retry(self._chat, entry))

    def edit(self, entry: str, text: str) -> None:
        """Put another message in the place of one and have it answered; one that cannot be recorded is refused."""
        message = self._message(text, ())
        if self.busy.value:
            self._refused(
                message, NotochordError(Code.CHAT_BUSY, Fault.USER, "an answer is under way", chat=self._chat)
            )
            return
        self._in_flight, self._replaces = message, True
        self._start("edit", lambda: self._chats.edit(self._chat, entry, text))

    async def stop(self) -> None:
        """Stop the answer; what waits is held."""
        self.held.set(bool(self.queue))
        await self._chats.stop(self._chat)

    async def close(self) -> None:
        """Stop the answers that were begun here and wait for their record."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        await self._lifetime.close()

    def _message(self, text: str, attachments: tuple[Path, ...]) -> Waiting:
        self._made += 1
        return Waiting(self._made, text, attachments)

    def _pump(self) -> None:
        if self.queue and not self.busy.value and not self.held.value:
            message = self._in_flight = self.queue[0]
            self._replaces = False
            self.queue.remove(0)
            self._start("send", lambda: self._chats.send(self._chat, Outgoing(message.text, message.attachments)))

    def _start(self, name: str, answer: Callable[[], Awaitable[object]]) -> None:
        self.busy.set(True)
        self.error.set(None)
        _ = self._lifetime.start(name, self._run(answer))

    async def _run(self, answer: Callable[[], Awaitable[object]]) -> None:
        try:
            await answer()
        except NotochordError as error:
            self._failed(error)
        finally:
            self._in_flight = None
            self.busy.set(False)
            self._kept()
        self._pump()

    def _failed(self, error: NotochordError) -> None:
        message, self._in_flight = self._in_flight, None
        if message is None:
            self.held.set(bool(self.queue))
            self.error.set(error)
        elif error.code is Code.CHAT_BUSY and not self._replaces:
            self.queue.insert(0, message)
            self._blocked = True
            self.held.set(True)
        else:
            self.held.set(bool(self.queue))
            self._refused(message, error)

    def _begun(self, event: TurnBegun) -> None:
        if event.chat == self._chat and self._in_flight is not None:
            files, self._in_flight = self._in_flight.attachments, None
            self._kept()
            self._sent(files)

    def _changed(self, event: ChatChanged) -> None:
        """Try again when an answer that was begun elsewhere may have ended."""
        if event.chat == self._chat and self._blocked and not self.busy.value:
            self._blocked = False
            self.resume()
