"""The database acknowledges what is on the disk, and says clearly what is wrong with a file."""

from pathlib import Path

import pytest
from sqlalchemy import text

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.persistence.database import Database
from notochord.persistence.migrations import Component

KEY = bytes(range(32))
NOTES = Component("notes", (lambda connection: connection.execute("CREATE TABLE notes (body TEXT) STRICT"),))


async def test_what_was_written_is_there_after_reopening(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "main.db", KEY, (NOTES,))
    await database.write(lambda connection: connection.execute(text("INSERT INTO notes VALUES ('kept')")))
    await database.close()
    database = await Database.open(tmp_path / "main.db", KEY, (NOTES,))
    found = await database.read(lambda connection: connection.execute(text("SELECT body FROM notes")).scalars().all())
    await database.close()
    assert found == ["kept"]


async def test_a_text_that_no_database_can_hold_is_bad_input(tmp_path: Path) -> None:
    """Half a character: a file's name in another encoding, given on the command line, is one."""
    database = await Database.open(tmp_path / "main.db", KEY, (NOTES,))
    add = text("INSERT INTO notes VALUES (:body)")
    with pytest.raises(NotochordError) as caught:
        await database.write(lambda connection: connection.execute(add, {"body": "\udcff"}))
    await database.close()
    assert caught.value.code is Code.INPUT_INVALID


async def test_another_key_opens_nothing_and_changes_nothing(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "main.db", KEY, (NOTES,))
    await database.close()
    before = (tmp_path / "main.db").read_bytes()
    with pytest.raises(NotochordError) as caught:
        await Database.open(tmp_path / "main.db", bytes(32), (NOTES,))
    assert caught.value.code is Code.STORE_UNREADABLE
    assert (tmp_path / "main.db").read_bytes() == before


async def test_writes_are_flushed_before_they_are_acknowledged(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "main.db", KEY, (NOTES,))
    modes = await database.write(
        lambda connection: (
            connection.exec_driver_sql("PRAGMA journal_mode").scalar_one(),
            connection.exec_driver_sql("PRAGMA synchronous").scalar_one(),
        )
    )
    await database.close()
    assert modes == ("wal", 2)
