"""Settings are in force and on the disk when `change` returns."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from notochord.core.events import EventBus
from notochord.core.strict_json import Json
from notochord.services.settings.api import Setting, SettingChanged
from notochord.services.settings.component import COMPONENT
from notochord.services.settings.service import StoredSettings
from notochord.services.settings.tables import METADATA
from support.databases import database_in
from support.schemas import assert_same_schema

MODE = Setting("network.mode", "allow")
COUNT = Setting("count", 1)
NOTHING: list[Json] = []
LIST = Setting("network.rules", NOTHING)


def test_the_tables_are_what_the_migrations_make() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


@pytest.mark.req("ORG-008")
async def test_a_change_is_in_force_at_once_and_after_a_restart(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        settings = StoredSettings(database=database, events=EventBus())
        await settings.start()
        assert settings.current(MODE) == "allow"
        await settings.change(MODE, "block")
        assert settings.current(MODE) == "block"
        await settings.close()
    async with database_in(tmp_path, COMPONENT) as database:
        settings = StoredSettings(database=database, events=EventBus())
        await settings.start()
        assert settings.current(MODE) == "block"
        await settings.close()


async def test_a_change_is_told_after_it_is_durable(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        events = EventBus()
        settings = StoredSettings(database=database, events=events)
        heard: list[tuple[str, str]] = []
        events.subscribe(SettingChanged, lambda event: heard.append((event.name, settings.current(MODE))))
        await settings.start()
        await settings.change(MODE, "block")
        await settings.close()
        assert heard == [("network.mode", "block")]


@pytest.mark.parametrize("stored", ["7", "true", "null", "{", '["a"]', "1.0"])
async def test_a_stored_value_of_another_type_counts_as_not_stored(tmp_path: Path, stored: str) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        row = text("INSERT INTO settings VALUES ('network.mode', :value)")
        await database.write(lambda connection: connection.execute(row, {"value": stored}))
        settings = StoredSettings(database=database, events=EventBus())
        await settings.start()
        assert settings.current(MODE) == "allow"
        await settings.close()


async def test_a_value_of_another_type_is_not_taken(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        settings = StoredSettings(database=database, events=EventBus())
        with pytest.raises(TypeError):
            await settings.change(COUNT, True)
        await settings.close()


async def test_changing_what_was_read_changes_no_setting(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        settings = StoredSettings(database=database, events=EventBus())
        settings.current(LIST).append("x")
        assert settings.current(LIST) == []
        chosen: list[Json] = ["a"]
        await settings.change(LIST, chosen)
        settings.current(LIST).append("x")
        assert settings.current(LIST) == ["a"]
        await settings.close()


async def test_a_caller_that_goes_away_leaves_disk_and_memory_equal(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        events, changed = EventBus(), asyncio.Event()
        events.subscribe(SettingChanged, lambda _: changed.set())
        settings = StoredSettings(database=database, events=events)
        caller = asyncio.create_task(settings.change(MODE, "block"))
        await asyncio.sleep(0)
        caller.cancel()
        await asyncio.gather(caller, return_exceptions=True)
        await changed.wait()
        assert settings.current(MODE) == "block"
        question = text("SELECT value FROM settings")
        assert await database.read(lambda connection: connection.execute(question).scalar_one()) == '"block"'
        await settings.close()
