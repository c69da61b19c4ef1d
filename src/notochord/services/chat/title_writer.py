"""Gives a new conversation a title beside its first answer, with the model of the background tasks."""

import logging

from sqlalchemy import Connection

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.tasks import Lifetime
from notochord.persistence.database import Database
from notochord.services.chat import chat_rows, prompts
from notochord.services.chat.api import ChatChanged
from notochord.services.chat.background import Background
from notochord.services.chat.records import TitleState
from notochord.services.chat.titles import beginning, cleaned

FEATURE = "title"
MOST_TOKENS = 400
"""Room for a few words, and for a model that thinks before it writes them."""

_log = logging.getLogger(__name__)


class TitleWriter:
    """Owns the tasks that write titles."""

    def __init__(self, *, database: Database, events: EventBus, background: Background) -> None:
        self._database = database
        self._events = events
        self._background = background
        self._lifetime = Lifetime("titles")

    def start(self, chat: str, first_message: str) -> None:
        """Begin to write a title from nothing but the text of the first message (MODEL-063)."""
        _ = self._lifetime.start(f"title of {chat}", self._write(chat, first_message))

    async def close(self) -> None:
        await self._lifetime.close()

    async def _write(self, chat: str, first_message: str) -> None:
        try:
            title = await self._title(chat, first_message)
        except NotochordError as failure:
            _log.info("a conversation keeps its provisional title: %s", failure.code)
            return
        if not title:
            return

        def store(connection: Connection) -> bool:
            return _store(connection, chat, title)

        if await self._database.write(store):
            self._events.publish(ChatChanged(chat))

    async def _title(self, chat: str, first_message: str) -> str:
        """Return a title, "" if the model has none; a model that would only garble the message is not asked."""
        if not await self._background.is_able():
            return beginning(first_message)
        return cleaned(await self._background.ask(FEATURE, prompts.TITLE, first_message, chat, most_tokens=MOST_TOKENS))


def _store(connection: Connection, chat: str, title: str) -> bool:
    """Put the title in place unless the user wrote one meanwhile."""
    record = chat_rows.find(connection, chat)
    if record is None or record.title_state is not TitleState.PROVISIONAL:
        return False
    chat_rows.change(connection, chat, title=title, title_state=TitleState.FINAL)
    return True
