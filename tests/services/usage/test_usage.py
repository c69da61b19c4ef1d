"""Model calls are counted by the user's own day."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from notochord.core.ids import IdMaker
from notochord.services.usage.api import Use, UseTotal
from notochord.services.usage.component import COMPONENT
from notochord.services.usage.service import StoredUsage
from notochord.services.usage.tables import METADATA
from support.clocks import HandClock
from support.databases import database_in
from support.schemas import assert_same_schema


def test_the_tables_are_what_the_migrations_make() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


@pytest.mark.req("MODEL-100")
async def test_calls_are_summed_by_day_feature_and_model(tmp_path: Path) -> None:
    clock = HandClock()
    async with database_in(tmp_path, COMPONENT) as database:
        usage = StoredUsage(database=database, clock=clock, ids=IdMaker(clock))
        for tokens in (10, 20):
            await usage.record(Use("chat", "openai", "gpt", tokens, 1, run="r"))
        await usage.record(Use("title", "openai", "gpt", 5, 2))
        clock.advance(86_400)
        await usage.record(Use("chat", "openai", "gpt", 1, 1))
        first, title, second = await usage.totals()
        assert first == UseTotal("2026-11-30", "chat", "openai", "gpt", 2, 30, 2)
        assert title == UseTotal("2026-11-30", "title", "openai", "gpt", 1, 5, 2)
        assert second == UseTotal("2026-12-01", "chat", "openai", "gpt", 1, 1, 1)
        assert await usage.totals(since_day="2026-12-01") == (second,)


async def test_the_day_is_that_of_the_users_zone(tmp_path: Path) -> None:
    clock = HandClock(datetime(2026, 11, 30, 18, 0, tzinfo=UTC), zone=timezone(timedelta(hours=8)))
    async with database_in(tmp_path, COMPONENT) as database:
        usage = StoredUsage(database=database, clock=clock, ids=IdMaker(clock))
        await usage.record(Use("chat", "openai", "gpt", 1, 1))
        assert [total.day for total in await usage.totals()] == ["2026-12-01"]
