"""The journal asks the stores that a cause touched, and no others."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.persistence.database import Database
from notochord.services.journal.api import Change, Reverted
from notochord.services.journal.component import COMPONENT
from notochord.services.journal.service import JournalService
from notochord.services.journal.tables import METADATA
from support.clocks import HandClock
from support.databases import database_in
from support.schemas import assert_same_schema

FIRST = Cause(conversation="c", branch="b", turn="t1")
SECOND = Cause(conversation="c", branch="b", turn="t2")


class Store:
    """A store that remembers what it was asked."""

    def __init__(self, name: str, at: int = 0) -> None:
        self.name = name
        self.change = Change(name, "subject", "changed", at, True)
        self.asked: list[Cause] = []

    async def changes(self, cause: Cause) -> tuple[Change, ...]:
        self.asked.append(cause)
        return (self.change,)

    async def revert(self, cause: Cause) -> Reverted:
        self.asked.append(cause)
        return Reverted((self.change,), ())


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with database_in(tmp_path, COMPONENT) as opened:
        yield opened


def journal_on(database: Database, *stores: Store) -> JournalService:
    journal = JournalService(database=database, clock=HandClock())
    for store in stores:
        journal.register(store)
    return journal


def test_the_table_is_that_of_the_migrations() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


async def test_only_the_stores_that_a_cause_touched_are_asked(database: Database) -> None:
    files, chats = Store("files"), Store("chats")
    journal = journal_on(database, files, chats)
    await journal.touch("files", FIRST)
    await journal.touch("chats", SECOND)
    assert await journal.changes(FIRST) == (files.change,)
    assert (files.asked, chats.asked) == ([FIRST], [])


async def test_empty_fields_of_a_cause_match_everything(database: Database) -> None:
    journal = journal_on(database, Store("files", at=2), Store("chats", at=1))
    await journal.touch("files", FIRST)
    await journal.touch("chats", SECOND)
    found = await journal.changes(Cause(conversation="c"))
    assert [change.store for change in found] == ["chats", "files"]
    assert await journal.changes(Cause(conversation="other")) == ()


async def test_a_single_step_finds_the_stores_of_its_turn(database: Database) -> None:
    journal = journal_on(database, Store("files"))
    await journal.touch("files", Cause(conversation="c", turn="t1", step="one"))
    await journal.touch("files", Cause(conversation="c", turn="t1", step="two"))
    assert len(await journal.changes(Cause(conversation="c", turn="t1", step="two"))) == 1


async def test_what_was_touched_is_known_after_a_restart(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        await journal_on(database).touch("files", FIRST)
    async with database_in(tmp_path, COMPONENT) as database:
        assert len(await journal_on(database, Store("files")).changes(FIRST)) == 1


async def test_a_store_that_is_gone_keeps_the_others_from_nothing(database: Database) -> None:
    journal = journal_on(database, Store("files"))
    await journal.touch("gone", FIRST)
    await journal.touch("files", FIRST)
    assert len((await journal.revert(FIRST)).undone) == 1


async def test_the_cause_of_everything_cannot_be_taken_back(database: Database) -> None:
    with pytest.raises(NotochordError) as caught:
        await journal_on(database, Store("files")).revert(Cause())
    assert caught.value.code is Code.INPUT_INVALID


async def test_two_stores_cannot_have_one_name(database: Database) -> None:
    with pytest.raises(ValueError, match="files"):
        journal_on(database, Store("files"), Store("files"))


async def test_a_step_without_its_conversation_is_refused(database: Database) -> None:
    """The id of a step is the provider's own, and may stand in other conversations too."""
    files = Store("files")
    journal = journal_on(database, files)
    await journal.touch("files", FIRST)
    for ask in (journal.changes, journal.revert):
        with pytest.raises(NotochordError) as caught:
            await ask(Cause(step="call_1"))
        assert caught.value.code is Code.INPUT_INVALID
    assert files.asked == []
    assert await journal.changes(Cause(conversation="c", step="call_1")) == (files.change,)
