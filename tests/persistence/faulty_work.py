"""What the children of the crash and fault tests do: bring a database up to date and write pairs of rows."""

from pathlib import Path

from sqlalchemy import Connection, text

from notochord.core.errors import NotochordError
from notochord.persistence.database import Database
from notochord.persistence.migrations import Component
from support.databases import KEY
from support.faults import say

PAIRS = 2
ATTEMPTS = 3
OLD = Component(
    "pairs",
    (lambda connection: connection.execute("CREATE TABLE pairs (n INTEGER, half TEXT, PRIMARY KEY (n, half)) STRICT"),),
)
NEW = Component(
    "pairs",
    (
        *OLD.steps,
        lambda connection: connection.execute("ALTER TABLE pairs ADD COLUMN note TEXT NOT NULL DEFAULT 'new'"),
        lambda connection: connection.execute("CREATE TABLE more (body TEXT) STRICT"),
    ),
)


def add_pair(connection: Connection, number: int) -> None:
    for half in ("left", "right"):
        row = {"n": number, "half": half}
        connection.execute(text("INSERT INTO pairs (n, half) VALUES (:n, :half)"), row)


async def upgrade_and_write(folder: Path) -> None:
    """Each step is told when it is acknowledged; one that fails is told and tried again."""
    try:
        database = await Database.open(folder / "main.db", KEY, (NEW,))
    except NotochordError as error:
        say(f"failed {error.code}: {error.detail}")
        say("closed")
        return
    say("opened")
    for number in range(1, PAIRS + 1):
        await _written(database, number)
        say(f"written {number}")
    await database.close()
    say("closed")


async def _written(database: Database, number: int) -> None:
    for _ in range(ATTEMPTS):
        try:
            await database.write(lambda connection: add_pair(connection, number))
            return
        except NotochordError as error:
            say(f"failed {error.code}: {error.detail}")
    raise TimeoutError("the database cannot be written any more")
