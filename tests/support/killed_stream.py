"""A conversation whose program is killed in the middle of a reply: after a word of it is on the disk.

    python -m support.killed_stream FOLDER [tool]

With `tool` the reply that is cut off follows a call.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from sqlalchemy import func, select

from notochord.core.clock import SystemClock
from notochord.persistence.database import Database
from notochord.persistence.migrations import migrate
from notochord.services.chat import arriving
from notochord.services.chat.api import NewChat, Outgoing
from notochord.services.chat.tables import ARRIVING
from notochord.services.models.api import ModelEvent, ModelRequest, ReasoningDelta, TextDelta
from support.conversations import COMPONENTS, furnish
from support.databases import KEY
from support.scripted_models import ScriptedModels, call, use

THOUGHT = "Let me see."
SAID = ("Die Antwort ist ", "**zweiundvierzig**, ", "denn 中文 🌍 ")
QUESTION = "What is it?"


class KilledWhileStreaming(ScriptedModels):
    """Says the beginning of a reply, and dies once all of it is on the disk."""

    def __init__(self, database: Database, *, after_call: bool) -> None:
        super().__init__([use(call("note.read", {"name": "a"}), text="I look.")] if after_call else [])
        self._database = database

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if self.scripts["chat"]:
            async for event in super().stream(request):
                yield event
            return
        yield ReasoningDelta(THOUGHT)
        for number, word in enumerate(SAID, start=1):
            yield TextDelta(word)
            await self._kept(number)
        os.kill(os.getpid(), signal.SIGKILL)

    async def _kept(self, pieces: int) -> None:
        wanted = select(func.count()).select_from(ARRIVING)
        for _ in range(2000):
            if await self._database.read(lambda connection: connection.execute(wanted).scalar_one()) >= pieces:
                return
            await asyncio.sleep(0.01)
        raise AssertionError("nothing was kept")


async def main(folder: Path, *, after_call: bool) -> None:
    database = Database(folder / "main.db", KEY)
    migrate(database.path, KEY, COMPONENTS)
    arriving.KEPT_EVERY = 0.05
    office = await furnish(database, folder, KilledWhileStreaming(database, after_call=after_call), SystemClock())
    chat = (await office.chats.create(NewChat())).id
    await office.chats.send(chat, Outgoing(QUESTION))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), after_call="tool" in sys.argv[2:]))
