"""Everything that goes on in the conversations of the open organization, whichever of them is on the screen."""

from dataclasses import dataclass
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable
from notochord.core.tasks import Lifetime
from notochord.services.approvals.api import Approvals
from notochord.services.chat.api import Chat, Chats, Drafts, TurnBegun
from notochord.services.egress.api import Egress
from notochord.services.files.api import Files, FileVersions, Opening
from notochord.services.gems.api import Gems
from notochord.services.models.api import Models
from notochord.services.settings.api import SettingChanged, Settings
from notochord.viewmodels.chat.approvals import OpenQuestions
from notochord.viewmodels.chat.chat_list import ChatListModel
from notochord.viewmodels.chat.composer import SEND_WITH_CONTROL, Composer
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.experts import ExpertsModel
from notochord.viewmodels.chat.files import FilesModel
from notochord.viewmodels.chat.live import LiveAnswers
from notochord.viewmodels.chat.models import ModelChoices
from notochord.viewmodels.chat.outbox import Outbox, Waiting
from notochord.viewmodels.chat.pictures import Pictures


@dataclass(frozen=True, slots=True)
class Writing:
    """Where the user writes in one conversation, and what is on its way from there."""

    composer: Composer
    outbox: Outbox

    def edit_waiting(self, key: int) -> None:
        """Take a message that waits back into the composer."""
        if (message := self.outbox.take_out(key)) is not None:
            self.composer.give_back(message)

    def drop_waiting(self, key: int) -> None:
        """Take a message that waits away for good."""
        if (message := self.outbox.take_out(key)) is not None:
            self.composer.sent(message.attachments)


class ChatDesk:
    """Answers and what is unsent live here; screens come and go."""

    def __init__(
        self,
        *,
        chats: Chats,
        drafts: Drafts,
        approvals: Approvals,
        models: Models,
        settings: Settings,
        files: Files,
        versions: FileVersions,
        opening: Opening,
        gems: Gems,
        egress: Egress,
        events: EventBus,
        clock: Clock,
    ) -> None:
        self.chats = chats
        self.drafts = drafts
        self.files = files
        self.gems = gems
        self.clock = clock
        self.live = LiveAnswers(events=events, clock=clock)
        self.questions = OpenQuestions(approvals=approvals, events=events)
        self.list = ChatListModel(chats=chats, events=events)
        self.pictures = Pictures(egress=egress, files=files)
        self.models = ModelChoices(models=models, settings=settings, events=events)
        self.send_with_control: Observable[bool] = Observable(settings.current(SEND_WITH_CONTROL))
        self._settings = settings
        self._versions = versions
        self._opening = opening
        self._events = events
        self._lifetime = Lifetime("chat desk")
        self._writings: dict[str, Writing] = {}
        self._errors: dict[str, NotochordError] = {}
        self._subscriptions: list[Unsubscribe] = [
            events.subscribe(SettingChanged, lambda event: self._setting_changed(event.name)),
            events.subscribe(TurnBegun, lambda event: self._forget_error(event.chat)),
        ]

    async def start(self) -> None:
        """Read the list, the questions and the models."""
        await self.questions.start()
        await self.models.start()
        await self.list.start()

    async def close(self) -> None:
        """Store what is unsent, stop the answers begun here, and hear no more."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        for writing in tuple(self._writings.values()):
            await writing.outbox.close()
            await writing.composer.close()
        await self._lifetime.close()
        await self.list.close()
        await self.models.close()
        self.questions.close()
        self.live.close()

    def conversation(self, chat: str) -> Conversation:
        """Make the transcript of a conversation; who asks starts and closes it."""
        return Conversation(
            chat,
            chats=self.chats,
            live=self.live,
            questions=self.questions,
            events=self._events,
            clock=self.clock,
            error_of=self._errors.get,
        )

    def writing(self, chat: str) -> Writing:
        """Return where the user writes in a conversation: the same as long as the program runs."""
        found = self._writings.get(chat)
        if found is None:
            found = self._writings[chat] = self._new_writing(chat)
        return found

    def experts(self, chat: str) -> ExpertsModel:
        """Make the panel "Experts and tools"; who asks starts and closes it."""
        return ExpertsModel(chat, chats=self.chats, events=self._events)

    def files_of(self, chat: Chat) -> FilesModel:
        """Make the panel of files; who asks starts and closes it."""
        return FilesModel(
            chat,
            files=self.files,
            versions=self._versions,
            opening=self._opening,
            events=self._events,
            clock=self.clock,
        )

    def show_folder(self, folder: Path) -> None:
        """Show a folder in the system's file manager."""
        self._opening.show_folder(folder)

    def _new_writing(self, chat: str) -> Writing:
        def refused(message: Waiting, error: NotochordError) -> None:
            composer.give_back(message, error)

        outbox = Outbox(
            chat,
            chats=self.chats,
            events=self._events,
            kept=lambda: composer.keep(),
            sent=lambda files: composer.sent(files),
            refused=refused,
        )
        composer = Composer(
            chat,
            drafts=self.drafts,
            clock=self.clock,
            post=outbox.post,
            queued=outbox.waiting,
            restore=outbox.restore,
            edit=outbox.edit,
        )
        outbox.error.watch(lambda error: self._remember_error(chat, error))
        return Writing(composer, outbox)

    async def send_first(self, chat: str, text: str, files: tuple[Path, ...]) -> None:
        """Send the first message of a conversation that was just made."""
        writing = self.writing(chat)
        await writing.composer.start()
        writing.outbox.post(text, files)
        await writing.composer.keep_now()

    def _remember_error(self, chat: str, error: NotochordError | None) -> None:
        if error is not None:
            self._errors[chat] = error

    def _forget_error(self, chat: str) -> None:
        self._errors.pop(chat, None)

    def _setting_changed(self, name: str) -> None:
        if name == SEND_WITH_CONTROL.name:
            self.send_with_control.set(self._settings.current(SEND_WITH_CONTROL))
