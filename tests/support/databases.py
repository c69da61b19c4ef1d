"""Opens a fresh, real, encrypted database for a test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from notochord.persistence.database import Database
from notochord.persistence.migrations import Component

KEY = bytes(range(32))


@asynccontextmanager
async def database_in(folder: Path, *components: Component, name: str = "main.db") -> AsyncIterator[Database]:
    """Open `folder`/`name` with the tables of `components` (again, if it is there), and close it at the end."""
    database = await Database.open(folder / name, KEY, components)
    try:
        yield database
    finally:
        await database.close()
