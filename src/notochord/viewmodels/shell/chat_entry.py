"""How a conversation is begun from the sidebar, the palette or the tray."""

from pathlib import Path
from typing import TYPE_CHECKING

from notochord.viewmodels.shell.navigation import Navigation, Page

if TYPE_CHECKING:
    from notochord.services.chat.api import Chats


class ChatEntry:
    """Begins conversations; while no model is connected it leads to the page that connects one (SETUP-051)."""

    def __init__(self, *, chats: "Chats", navigation: Navigation) -> None:
        self._chats = chats
        self._navigation = navigation

    def new(self) -> None:
        """Go to an empty conversation, which is stored with its first message (CHAT-008)."""
        self._navigation.go(Page.CHAT)

    async def around(self, folder: Path) -> None:
        """Begin a conversation whose agent works in this folder, and go there (CHAT-009).

        Raises FOLDER_REFUSED for the home folder and those of the system, MODEL_NOT_CHOSEN.
        """
        from notochord.services.chat.api import NewChat  # loaded by then: the window is painted before

        chat = await self._chats.create(NewChat(folder=folder))
        self._navigation.go(Page.CHAT, chat.id)
