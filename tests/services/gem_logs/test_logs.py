"""The logs of gems: the last lines of each, and nothing of one that is gone."""

from pathlib import Path

from notochord.services.gem_logs.api import MAX_LINES, LogLine
from notochord.services.gem_logs.component import COMPONENT
from notochord.services.gem_logs.service import StoredGemLogs
from notochord.services.gem_logs.tables import METADATA
from support.databases import database_in
from support.schemas import assert_same_schema


def lines(*texts: object) -> list[LogLine]:
    return [LogLine("t", 1, str(text)) for text in texts]


def test_the_tables_are_what_the_migrations_make() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


async def test_the_last_lines_are_kept_for_each_gem(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        logs = StoredGemLogs(database=database)
        await logs.add("a", lines(*range(MAX_LINES + 5)))
        await logs.add("b", lines("x", "y"))
        await logs.add("b", lines())
        await logs.add("a", lines("last"))
        kept = await logs.last("a", MAX_LINES * 2)
        assert len(kept) == MAX_LINES
        assert kept[-1].text == "last"
        assert [line.text for line in await logs.last("b", 1)] == ["y"]
        await logs.forget("a")
        assert await logs.last("a", 9) == ()
        assert len(await logs.last("b", 9)) == 2
