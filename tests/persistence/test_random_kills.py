"""Killed at any moment, not only at a system call, a database keeps what was acknowledged."""

import random
from pathlib import Path

import pytest
from sqlalchemy import text

from notochord.persistence.database import Database
from persistence.faulty_work import NEW, OLD, add_pair
from support.databases import KEY, database_in
from support.writers import told_before_the_kill

WRITER = """
import asyncio, sys
from pathlib import Path
from notochord.persistence.database import Database
from persistence.faulty_work import NEW, add_pair
from support.databases import KEY

async def main(path):
    database = await Database.open(path, KEY, (NEW,))
    number = int(sys.argv[2])
    while True:
        await database.write(lambda connection: add_pair(connection, number))
        print(number, flush=True)
        number += 1

print("ready", flush=True)
sys.stdin.readline()
asyncio.run(main(Path(sys.argv[1])))
"""


async def numbers(path: Path) -> list[int]:
    database = await Database.open(path, KEY, (NEW,))
    try:
        assert await database.check() == ()
        question = text("SELECT n, count(*) AS halves FROM pairs GROUP BY n ORDER BY n")
        rows = await database.read(lambda connection: connection.execute(question).all())
    finally:
        await database.close()
    assert all(row.halves == 2 for row in rows)
    return [row.n for row in rows]


async def check_kills(tmp_path: Path, count: int, seed: int) -> None:
    chance = random.Random(seed)
    async with database_in(tmp_path, OLD) as database:
        await database.write(lambda connection: add_pair(connection, 0))
    path = tmp_path / "main.db"
    start = 1
    for _ in range(count):
        told = [
            int(line) for line in told_before_the_kill(WRITER, str(path), str(start), seconds=chance.uniform(0, 0.4))
        ]
        found = await numbers(path)
        assert found[: start + len(told)] == [*range(start), *told]
        assert len(found) <= start + len(told) + 1
        start = len(found)


async def test_a_writer_killed_at_random_moments_loses_nothing_that_it_told(tmp_path: Path) -> None:
    await check_kills(tmp_path, 2, 1)


@pytest.mark.long
@pytest.mark.timeout(3600)
async def test_a_writer_killed_at_two_hundred_random_moments_loses_nothing_that_it_told(tmp_path: Path) -> None:
    await check_kills(tmp_path, 200, 2)
