"""Keeps what the user has written but not sent, and the files of what was pasted, over the end of the program."""

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from notochord.core.ids import IdMaker, is_id
from notochord.core.paths import OrganizationFolder
from notochord.core.strict_json import Json, decode, encode
from notochord.persistence.atomic_files import write_atomically
from notochord.persistence.database import Database
from notochord.persistence.failures import translated
from notochord.services.chat.api import Draft, Queued
from notochord.services.chat.tables import CHATS, DRAFTS


class ChatDrafts:
    """Implements `services.chat.api.Drafts`. Pasted content lies in a folder of its own until it is sent."""

    def __init__(self, *, database: Database, folder: OrganizationFolder, ids: IdMaker) -> None:
        self._database = database
        self._folder = folder.drafts
        self._ids = ids

    async def start(self) -> None:
        """Forget drafts of deleted conversations, and delete pasted files that no draft names."""

        def load(connection: Connection) -> set[Path]:
            connection.execute(delete(DRAFTS).where(DRAFTS.c.chat != "", DRAFTS.c.chat.not_in(select(CHATS.c.id))))
            rows = connection.execute(select(DRAFTS.c.content)).scalars()
            return {file for row in rows for file in _files(_decoded(row))}

        named = await self._database.write(load)
        await asyncio.to_thread(self._sweep, named)

    async def draft(self, chat: str) -> Draft:
        def load(connection: Connection) -> Draft:
            row = connection.execute(select(DRAFTS.c.content).where(DRAFTS.c.chat == chat)).scalar_one_or_none()
            return Draft() if row is None else _decoded(row)

        return await self._database.read(load)

    async def keep(self, chat: str, draft: Draft) -> None:
        def store(connection: Connection) -> None:
            if draft == Draft():
                connection.execute(delete(DRAFTS).where(DRAFTS.c.chat == chat))
                return
            row = insert(DRAFTS).values(chat=chat, content=_encoded(draft))
            connection.execute(
                row.on_conflict_do_update(index_elements=[DRAFTS.c.chat], set_={"content": row.excluded.content})
            )

        await self._database.write(store)

    async def stage(self, name: str, content: bytes) -> Path:
        return await asyncio.to_thread(self._stage, name, content)

    async def unstage(self, files: Sequence[Path]) -> None:
        await asyncio.to_thread(self._unstage, files)

    def _stage(self, name: str, content: bytes) -> Path:
        folder = self._folder / self._ids.new()
        with translated(folder):
            folder.mkdir(parents=True, mode=0o700)
            write_atomically(folder / name, content)
        return folder / name

    def _unstage(self, files: Sequence[Path]) -> None:
        for file in files:
            if file.parent.parent == self._folder and is_id(file.parent.name):
                shutil.rmtree(file.parent, ignore_errors=True)

    def _sweep(self, named: set[Path]) -> None:
        if self._folder.is_dir():
            kept = {file.parent for file in named}
            for folder in self._folder.iterdir():
                if is_id(folder.name) and folder not in kept:
                    shutil.rmtree(folder, ignore_errors=True)


def _files(draft: Draft) -> tuple[Path, ...]:
    return (*draft.attachments, *(file for message in draft.queue for file in message.attachments))


def _encoded(draft: Draft) -> str:
    queue: list[Json] = [{"text": message.text, "files": _names(message.attachments)} for message in draft.queue]
    return encode({"text": draft.text, "files": _names(draft.attachments), "queue": queue})


def _names(files: Sequence[Path]) -> list[Json]:
    return [str(file) for file in files]


def _decoded(content: str) -> Draft:
    match decode(content):
        case {"text": str(text), "files": list(files), "queue": list(queue)}:
            return Draft(text, _paths(files), tuple(_queued(item) for item in queue))
        case _:
            raise ValueError("not a draft")


def _queued(item: Json) -> Queued:
    match item:
        case {"text": str(text), "files": list(files)}:
            return Queued(text, _paths(files))
        case _:
            raise ValueError("not a message that waits")


def _paths(files: list[Json]) -> tuple[Path, ...]:
    return tuple(Path(str(file)) for file in files)
