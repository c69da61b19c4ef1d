"""A prepared statement does what SQLAlchemy would, in the transaction it is run in."""

from pathlib import Path

import pytest
import sqlcipher3.dbapi2 as sqlite
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, bindparam, insert, select, update

from notochord.persistence.database import Database
from notochord.persistence.migrations import Component
from notochord.persistence.statements import Prepared
from support.databases import database_in

WORDS = Table("words", MetaData(), Column("word", Text, primary_key=True), Column("count", Integer, nullable=False))
COMPONENT = Component(
    "words",
    (
        lambda connection: connection.execute(
            "CREATE TABLE words (word TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT"
        ),
    ),
)
ADD = Prepared(insert(WORDS))
CHANGE = Prepared(update(WORDS).where(WORDS.c.word == bindparam("of_word")))


async def words(database: Database) -> dict[str, int]:
    rows = await database.read(lambda connection: connection.execute(select(WORDS)).all())
    return {word: count for word, count in rows}


async def test_rows_are_added_and_changed_by_whatever_columns_are_given(tmp_path: Path) -> None:
    def work(connection: Connection) -> None:
        ADD.run(connection, {"word": "one", "count": 1})
        ADD.run_each(connection, [{"word": "two", "count": 2}, {"word": "three", "count": 3}])
        ADD.run_each(connection, [])
        CHANGE.run(connection, {"of_word": "two", "count": 20})
        CHANGE.run(connection, {"of_word": "three", "word": "four", "count": 4})

    async with database_in(tmp_path, COMPONENT) as database:
        await database.write(work)
        assert await words(database) == {"one": 1, "two": 20, "four": 4}


async def test_a_transaction_that_fails_leaves_nothing_and_the_next_one_works(tmp_path: Path) -> None:
    def twice(connection: Connection) -> None:
        ADD.run(connection, {"word": "one", "count": 1})
        ADD.run(connection, {"word": "one", "count": 2})

    async with database_in(tmp_path, COMPONENT) as database:
        for _ in range(2):
            with pytest.raises(sqlite.IntegrityError):
                await database.write(twice)
            assert await words(database) == {}
        await database.write(lambda connection: ADD.run(connection, {"word": "one", "count": 1}))
        assert await words(database) == {"one": 1}
