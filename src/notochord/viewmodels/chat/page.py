"""The chat page: the conversation that is open, or the one that is about to begin."""

from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import Unsubscribe
from notochord.core.flat_text import flattened
from notochord.core.observable import Observable
from notochord.core.tasks import Lifetime
from notochord.services.chat.api import Chat
from notochord.services.gems.api import Trust
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.desk import ChatDesk, Writing
from notochord.viewmodels.chat.new_chat import NewChatModel, examples_for
from notochord.viewmodels.shell.navigation import OF_ENTRY, Navigation, Page, Place


@dataclass(frozen=True, slots=True)
class OpenChat:
    """What is on the screen of an open conversation."""

    conversation: Conversation
    writing: Writing


class ChatPageModel:
    """`shown` is the open conversation, None for a new one; `opening` while it is read; `problem` why it is not there.

    A place's subject is a chat's id, or "CHAT#ENTRY" for a message in it: that is `wanted_entry` until it is shown.
    """

    def __init__(self, *, desk: ChatDesk, navigation: Navigation) -> None:
        self.desk = desk
        self.navigation = navigation
        self.shown: Observable[OpenChat | None] = Observable(None)
        self.opening: Observable[bool] = Observable(False)
        self.problem: Observable[NotochordError | None] = Observable(None)
        self.wanted_entry: Observable[str] = Observable("")
        self.examples: Observable[tuple[str, ...]] = Observable(examples_for(()))
        self.new = NewChatModel(
            chats=desk.chats, files=desk.files, drafts=desk.drafts, clock=desk.clock, begun=self._begun
        )
        self._lifetime = Lifetime("chat page")
        self._subject = ""
        self._unsubscribe: Unsubscribe = navigation.place.watch(self._go)

    async def start(self) -> None:
        """Show what the place says."""
        await self.new.start()
        self.examples.set(examples_for([gem.id for gem in await self.desk.gems.all()]))
        self._go(self.navigation.place.value)

    async def close(self) -> None:
        """Put the open conversation away; answers go on at the desk."""
        self._unsubscribe()
        await self._lifetime.close()
        if self.shown.value is not None:
            await self.shown.value.conversation.close()
        await self.new.close()

    # -- commands

    def retry(self) -> None:
        """Answer the user's last message anew."""
        if (shown := self.shown.value) and (entry := shown.conversation.last_question()):
            shown.writing.outbox.retry(entry)

    def retry_entry(self, entry: str) -> None:
        """Answer anew the message that an answer belongs to."""
        if shown := self.shown.value:
            shown.writing.outbox.retry(entry)

    def go_on(self, text: str) -> None:
        """Send a short message that lets an answer go on which a limit ended."""
        if shown := self.shown.value:
            shown.writing.outbox.post(text)

    async def try_again(self) -> None:
        """Read the conversation again that could not be opened."""
        await self._open(self._subject)

    async def gem_name(self, gem: str) -> tuple[str, bool]:
        """Return what a gem is called, and whether it is officially signed; the id of one that is not installed."""
        try:
            found = await self.desk.gems.get(gem)
        except NotochordError as error:
            if error.code is not Code.GEM_UNKNOWN:
                raise
            return gem, False
        return flattened(found.name) or gem, found.trust is Trust.OFFICIAL

    # -- opening

    def _go(self, place: Place) -> None:
        if place.page is not Page.CHAT:
            return
        chat, _, entry = place.subject.partition(OF_ENTRY)
        if entry:
            self.wanted_entry.set(entry)
            self.navigation.go(Page.CHAT, chat)
            return
        shown = self.shown.value
        if chat == self._subject and (not chat or (shown is not None and not shown.conversation.gone.value)):
            return
        self._subject = chat
        _ = self._lifetime.start(f"open {chat}", self._open(chat))

    async def _open(self, chat: str) -> None:
        """Show a conversation; of several asked for at once the last one stays."""
        self.problem.set(None)
        if not chat:
            await self._show(None)
            return
        conversation, writing = self.desk.conversation(chat), self.desk.writing(chat)
        self.opening.set(True)
        try:
            await conversation.start()
            await writing.composer.start()
        except NotochordError as error:
            await conversation.close()
            if self._subject == chat:
                await self._show(None)
                self.problem.set(error)
            return
        finally:
            if self._subject == chat:
                self.opening.set(False)
        if self._subject == chat:
            await self._show(OpenChat(conversation, writing))
        else:
            await conversation.close()

    async def _show(self, shown: OpenChat | None) -> None:
        before = self.shown.value
        self.shown.set(shown)
        if before is not None:
            await before.conversation.close()

    async def _begun(self, chat: Chat, text: str, files: tuple[Path, ...]) -> None:
        await self.desk.send_first(chat.id, text, files)
        if self.navigation.place.value == Place(Page.CHAT):
            self.navigation.go(Page.CHAT, chat.id)
