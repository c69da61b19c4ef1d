"""A real file service on a real database, for tests."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from notochord.core.ids import IdMaker
from notochord.persistence.database import Database
from notochord.services.files.api import Root
from notochord.services.files.choice import ChoiceRules
from notochord.services.files.component import COMPONENT as FILES
from notochord.services.files.ports import Trash
from notochord.services.files.service import FileService
from notochord.services.journal.component import COMPONENT as JOURNAL
from notochord.services.journal.service import JournalService
from support.clocks import START, HandClock
from support.databases import database_in

HISTORY_KEY = bytes(reversed(range(32)))


class FolderTrash:
    """A trash that is a folder, so that tests see what lands in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def discard(self, path: Path) -> None:
        path.rename(self.folder / f"{len(os.listdir(self.folder))}-{path.name}")  # noqa: PTH208

    def names(self) -> list[str]:
        return sorted(path.name.partition("-")[2] for path in self.folder.iterdir())


@dataclass(frozen=True)
class Workshop:
    """A file service with its journal; `folder` is a conversation's: `root` for its agent, `gem` for a gem."""

    files: FileService
    journal: JournalService
    database: Database
    clock: HandClock
    folder: Path
    history: Path

    @property
    def root(self) -> Root:
        return Root(self.folder, hide_dots=False, history=True)

    @property
    def gem(self) -> Root:
        return Root(self.folder, hide_dots=True, history=True)

    def kept(self) -> list[Path]:
        return sorted(self.history.iterdir()) if self.history.exists() else []

    def text(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")

    def put(self, path: str, text: str = "text") -> Path:
        """Make a file without the service, as the user would."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return target


@asynccontextmanager
async def workshop_in(place: Path, *, trash: Trash | None = None, start: datetime = START) -> AsyncIterator[Workshop]:
    """Open (or open again) a service whose database, history and conversation folder lie in `place`."""
    folder, history = place / "conversation", place / "history"
    folder.mkdir(exist_ok=True)
    clock = HandClock(start, seed=len(list(history.iterdir())) if history.exists() else 0)
    async with database_in(place, JOURNAL, FILES) as database:
        journal = JournalService(database=database, clock=clock)
        files = FileService(
            database=database,
            journal=journal,
            clock=clock,
            ids=IdMaker(clock),
            history=history,
            key=HISTORY_KEY,
            rules=ChoiceRules("linux", place / "home", place / "data"),
            trash=trash,
        )
        await files.start()
        try:
            yield Workshop(files, journal, database, clock, folder, history)
        finally:
            await files.close()
