"""A notice is there exactly when its fact is, and stays until every consumer is past it."""

from pathlib import Path

import pytest
import sqlcipher3.dbapi2 as sqlite
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.pool import StaticPool

from notochord.persistence.outbox import COMPONENT, METADATA, Notice, Outbox, advance, append
from support.databases import database_in
from support.schemas import assert_same_schema


def test_the_tables_are_what_the_migrations_make() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


async def test_a_notice_of_a_transaction_that_failed_is_not_there(tmp_path: Path) -> None:
    def fail(connection: Connection) -> None:
        append(connection, "added", {"n": 1})
        raise LookupError

    async with database_in(tmp_path, COMPONENT) as database:
        outbox = Outbox(database=database, consumers=("bell",))
        await outbox.start()
        with pytest.raises(LookupError):
            await database.write(fail)
        assert await outbox.pending("bell") == ()


async def test_notices_come_in_order_and_again_after_a_restart_until_they_are_done(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        for number in (1, 2, 3):
            await database.write(lambda connection, n=number: append(connection, "added", {"n": n}))  # type: ignore[misc]
    async with database_in(tmp_path, COMPONENT) as database:
        outbox = Outbox(database=database, consumers=("bell",))
        await outbox.start()
        first, second = await outbox.pending("bell", limit=2)
        assert (first, second) == (Notice(1, "added", {"n": 1}), Notice(2, "added", {"n": 2}))
        await outbox.done("bell", first.sequence)
    async with database_in(tmp_path, COMPONENT) as database:
        outbox = Outbox(database=database, consumers=("bell",))
        await outbox.start()
        assert [notice.sequence for notice in await outbox.pending("bell")] == [2, 3]


async def test_a_consumer_that_works_in_the_transaction_of_its_cursor_does_it_once(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        outbox = Outbox(database=database, consumers=("bell",))
        await outbox.start()
        await database.write(lambda connection: append(connection, "added", 1))

        def work_and_fail(connection: Connection) -> None:
            append(connection, "rung", 1)
            advance(connection, "bell", 1)
            raise LookupError

        with pytest.raises(LookupError):
            await database.write(work_and_fail)
        assert [notice.kind for notice in await outbox.pending("bell")] == ["added"]


async def test_a_consumer_that_is_no_longer_known_keeps_nothing_back(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        await Outbox(database=database, consumers=("old", "bell")).start()
        await database.write(lambda connection: append(connection, "added", 1))
        outbox = Outbox(database=database, consumers=("bell",))
        await outbox.start()
        await outbox.done("bell", 1)
        question = text("SELECT count(*) FROM outbox")
        assert await database.read(lambda connection: connection.execute(question).scalar_one()) == 0
        with pytest.raises(KeyError):
            await outbox.pending("old")
        with pytest.raises(KeyError):
            await outbox.done("old", 1)


class OutboxMachine(RuleBasedStateMachine):
    """Against a model: a list of notices, and how far each consumer is."""

    def __init__(self) -> None:
        super().__init__()
        self.engine = create_engine("sqlite://", module=sqlite, poolclass=StaticPool)
        event.listen(self.engine, "connect", lambda bare, _: setattr(bare, "isolation_level", None))
        event.listen(self.engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
        with self.engine.begin() as connection:
            for step in COMPONENT.steps:
                step(connection.connection.driver_connection)  # type: ignore[arg-type]
            connection.execute(text("INSERT INTO outbox_cursors VALUES ('one', 0), ('two', 0)"))
        self.appended: list[int] = []
        self.cursors = {"one": 0, "two": 0}

    @rule(fails=st.booleans())
    def add(self, fails: bool) -> None:
        with self.engine.connect() as connection, connection.begin() as transaction:
            sequence = append(connection, "n", len(self.appended))
            if fails:
                transaction.rollback()
            else:
                self.appended.append(sequence)

    @rule(consumer=st.sampled_from(["one", "two"]), place=st.integers(0, 30))
    def move(self, consumer: str, place: int) -> None:
        sequence = self.appended[min(place, len(self.appended)) - 1] if self.appended and place else 0
        with self.engine.begin() as connection:
            advance(connection, consumer, sequence)
        self.cursors[consumer] = max(self.cursors[consumer], sequence)

    @invariant()
    def nobody_misses_a_notice(self) -> None:
        with self.engine.connect() as connection:
            kept = list(connection.execute(text("SELECT sequence FROM outbox ORDER BY sequence")).scalars())
        assert kept == [sequence for sequence in self.appended if sequence > min(self.cursors.values())]

    def teardown(self) -> None:
        self.engine.dispose()


OutboxMachine.TestCase.settings = settings(max_examples=12, stateful_step_count=20)
test_the_outbox_behaves_like_its_model = OutboxMachine.TestCase
