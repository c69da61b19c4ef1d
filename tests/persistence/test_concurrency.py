"""One writer and many readers, and a second process beside them, never find the database locked."""

import asyncio
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from notochord.persistence.database import Database
from persistence.faulty_work import OLD, add_pair
from support.databases import KEY, database_in


async def work_together(path: Path, seconds: float) -> int:
    end = time.monotonic() + seconds
    question = text("SELECT count(*) FROM pairs")

    async def read(database: Database) -> None:
        while time.monotonic() < end:
            assert await database.read(lambda connection: connection.execute(question).scalar_one()) % 2 == 0

    async with database_in(path, OLD) as database:
        other = await Database.open(path / "main.db", KEY, (OLD,))
        readers = [asyncio.create_task(read(store)) for store in (database, other) for _ in range(4)]
        number = 0
        while time.monotonic() < end:
            for store in (database, other):
                await store.write(lambda connection, n=number: add_pair(connection, n))  # type: ignore[misc]
                number += 1
        await asyncio.gather(*readers)
        found = await database.read(lambda connection: connection.execute(question).scalar_one())
        await other.close()
        assert found == 2 * number
    return number


async def test_readers_see_whole_pairs_while_two_openings_write(tmp_path: Path) -> None:
    assert await work_together(tmp_path, 0.5) > 0


@pytest.mark.long
async def test_a_minute_of_reading_and_writing_meets_no_lock(tmp_path: Path) -> None:
    assert await work_together(tmp_path, 60) > 0
