"""A conversation that is about to begin: its model, its folder, whether it plans first, and its first message."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.errors import NotochordError
from notochord.core.observable import Observable
from notochord.core.tasks import Lifetime
from notochord.services.chat.api import Chat, Chats, Drafts, NewChat
from notochord.services.files.api import Files
from notochord.viewmodels.chat.composer import Composer
from notochord.viewmodels.chat.outbox import Waiting

Begun = Callable[[Chat, str, tuple[Path, ...]], Awaitable[None]]
"""Takes over a conversation that was made, with its first message."""


class NewChatModel:
    """`model` is what the user chose, "" for the usual; `folder` the one that the conversation is about, or None."""

    def __init__(self, *, chats: Chats, files: Files, drafts: Drafts, clock: Clock, begun: Begun) -> None:
        self.model: Observable[str] = Observable("")
        self.folder: Observable[Path | None] = Observable(None)
        self.plan_mode: Observable[bool] = Observable(False)
        self.beginning: Observable[bool] = Observable(False)
        self.composer = Composer("", drafts=drafts, clock=clock, post=self._post, take_folder=self.choose_folder)
        self._chats = chats
        self._files = files
        self._begun = begun
        self._lifetime = Lifetime("new chat")

    async def start(self) -> None:
        """Show what was left unsent."""
        await self.composer.start()

    async def close(self) -> None:
        """Store what is unsent."""
        await self._lifetime.close()
        await self.composer.close()

    async def choose_folder(self, folder: Path) -> None:
        """Let the conversation be about a folder (CHAT-009). Raises FOLDER_REFUSED (CHAT-011)."""
        self.folder.set(await self._files.check_choice(folder))

    def forget_folder(self) -> None:
        """Let the conversation have a folder of its own after all."""
        self.folder.set(None)

    def suggest(self, prompt: str) -> None:
        """Put an example into the composer; what the user wrote stays."""
        if not self.composer.text.value.strip():
            self.composer.set_text(prompt)

    def _post(self, text: str, files: tuple[Path, ...]) -> None:
        self.beginning.set(True)
        _ = self._lifetime.start("begin", self._begin(text, files))

    async def _begin(self, text: str, files: tuple[Path, ...]) -> None:
        try:
            chat = await self._chats.create(NewChat(self.model.value, self.folder.value, self.plan_mode.value))
        except NotochordError as error:
            self.composer.give_back(Waiting(0, text, files), error)
            return
        finally:
            self.beginning.set(False)
        self.model.set("")
        self.folder.set(None)
        self.plan_mode.set(False)
        await self._begun(chat, text, files)
        await self.composer.keep_now()


def examples_for(gems: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of example prompts: those that need nothing, and one about gems when some are installed."""
    plain = ("window.chat.example_write", "window.chat.example_files", "window.chat.example_plan")
    return ("window.chat.example_gem", *plain) if gems else plain
