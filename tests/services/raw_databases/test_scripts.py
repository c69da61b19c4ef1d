"""The script of a package: the schema at each opening, each migration once, and old or new at an upgrade."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.raw_databases.api import RawSource
from notochord.services.raw_databases.ports import RawLimits
from notochord.services.raw_databases.service import RawDatabaseService
from support.raw_databases import Raw, made_service, raw_databases, source
from support.vaults import MemoryVault

SCHEMA = "CREATE TABLE IF NOT EXISTS t (a);\nCREATE TABLE IF NOT EXISTS runs (n);\nINSERT INTO runs VALUES (1);"
ADD = "ALTER TABLE t ADD COLUMN b DEFAULT 'new';"


async def opened(folder: Path, vault: MemoryVault, owner: RawSource, text: str = "SELECT * FROM t") -> object:
    async with raw_databases(vault=vault) as service:
        return await Raw(service, owner).ask(text)


async def refusal(vault: MemoryVault, owner: RawSource, limits: RawLimits | None = None) -> NotochordError:
    async with raw_databases(vault=vault, limits=limits) as service:
        with pytest.raises(NotochordError) as found:
            await service.start(owner)
    return found.value


@pytest.mark.req("DATA-442", "DATA-448", "DATA-450")
async def test_the_schema_runs_at_each_opening_and_leaves_tables_that_exist_as_they_are(tmp_path: Path) -> None:
    vault = MemoryVault()
    first = source(tmp_path, {"schema.sql": SCHEMA})
    async with raw_databases(vault=vault) as service:
        await service.start(first)
        assert (first.folder / "raw.db").exists()
    wider = source(tmp_path, {"schema.sql": SCHEMA.replace("t (a)", "t (a, b)")}, stamp="2")
    assert await opened(tmp_path, vault, wider, "SELECT count(*) AS n FROM runs") == [{"n": 2}]
    assert await opened(tmp_path, vault, wider, "SELECT sql FROM sqlite_master WHERE name = 't'") == [
        {"sql": "CREATE TABLE t (a)"}
    ]


@pytest.mark.req("DATA-449", "DATA-444")
async def test_a_schema_that_cannot_be_repeated_fails_at_the_second_opening(tmp_path: Path) -> None:
    vault = MemoryVault()
    owner = source(tmp_path, {"schema.sql": "CREATE TABLE t (a);"})
    assert await opened(tmp_path, vault, owner) == []
    found = await refusal(vault, owner)
    assert found.code is Code.SQL_FAILED
    assert found.detail == "db/schema.sql: table t already exists"


@pytest.mark.req("DATA-443", "DATA-452", "DATA-453", "DATA-454")
async def test_migrations_run_once_by_number_after_the_schema(tmp_path: Path) -> None:
    vault = MemoryVault()
    steps = {
        "schema.sql": "CREATE TABLE IF NOT EXISTS t (a);",
        "migrations/10_third.sql": "INSERT INTO t (a) VALUES ('third');",
        "migrations/2_second.sql": "INSERT INTO t (a) VALUES ('second');",
        "migrations/0001_first.sql": "INSERT INTO t (a) VALUES ('first');",
    }
    for _ in range(2):
        found = await opened(tmp_path, vault, source(tmp_path, steps))
        assert found == [{"a": "first"}, {"a": "second"}, {"a": "third"}]
    steps["migrations/0011_fourth.sql"] = "UPDATE t SET a = a || '!' WHERE a = 'first';"
    found = await opened(tmp_path, vault, source(tmp_path, steps, stamp="2"))
    assert found == [{"a": "first!"}, {"a": "second"}, {"a": "third"}]


async def test_a_migration_happens_whole_or_not_at_all_and_is_tried_again(tmp_path: Path) -> None:
    vault = MemoryVault()
    half = {"migrations/1_a.sql": "CREATE TABLE t (a); INSERT INTO t VALUES (1); INSERT INTO none VALUES (1);"}
    found = await refusal(vault, source(tmp_path, half))
    assert found.detail == "db/migrations/1_a.sql: no such table: none"
    assert await opened(tmp_path, vault, source(tmp_path, {}), "SELECT name FROM sqlite_master WHERE name = 't'") == []
    mended = {"migrations/1_a.sql": "CREATE TABLE t (a); INSERT INTO t VALUES (1);"}
    assert await opened(tmp_path, vault, source(tmp_path, mended)) == [{"a": 1}]


async def test_a_trigger_and_a_text_with_semicolons_are_one_statement(tmp_path: Path) -> None:
    text = """-- a comment; with one
    CREATE TABLE IF NOT EXISTS t (a);
    CREATE TRIGGER IF NOT EXISTS doubled AFTER INSERT ON t BEGIN UPDATE t SET a = a || ';'; SELECT 1; END;
    INSERT INTO t VALUES ('x;y') /* ; */"""
    found = await opened(tmp_path, MemoryVault(), source(tmp_path, {"schema.sql": text}))
    assert found == [{"a": "x;y;"}]


async def test_a_table_is_rebuilt_without_losing_what_refers_to_it(tmp_path: Path) -> None:
    vault = MemoryVault()
    schema = """CREATE TABLE IF NOT EXISTS parent (id INTEGER PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS child (p REFERENCES parent (id) ON DELETE CASCADE);"""
    first = source(tmp_path, {"schema.sql": schema})
    async with raw_databases(vault=vault) as service:
        raw = Raw(service, first)
        await raw.add("parent", id=1)
        await raw.add("child", p=1)
        with pytest.raises(NotochordError):
            await raw.add("child", p=2)
    rebuild = "CREATE TABLE n (id INTEGER PRIMARY KEY, x); INSERT INTO n SELECT id, 0 FROM parent;" + (
        " DROP TABLE parent; ALTER TABLE n RENAME TO parent;"
    )
    second = source(tmp_path, {"schema.sql": schema, "migrations/1_x.sql": rebuild}, stamp="2")
    assert await opened(tmp_path, vault, second, "SELECT p, x FROM child JOIN parent ON id = p") == [{"p": 1, "x": 0}]
    broken = {"schema.sql": schema, "migrations/2_y.sql": "DELETE FROM parent;"}
    assert "FOREIGN KEY" in (await refusal(vault, source(tmp_path, broken, stamp="3"))).detail


@pytest.mark.parametrize("text", ["PRAGMA user_version = 3;", "BEGIN; COMMIT;", "DROP TABLE notochord_migrations;"])
async def test_a_script_may_do_no_more_than_a_statement(tmp_path: Path, text: str) -> None:
    assert (await refusal(MemoryVault(), source(tmp_path, {"schema.sql": text}))).code is Code.SQL_REFUSED


@pytest.mark.req("DATA-469", "DATA-470", "DATA-472")
@pytest.mark.parametrize("name", ["schema.sql", "migrations/1_a.sql"])
async def test_a_script_without_an_end_is_stopped(tmp_path: Path, name: str) -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c;"
    limits = RawLimits(script_seconds=0.3)
    found = await refusal(MemoryVault(), source(tmp_path, {name: endless}), limits)
    assert (found.code, found.parameters["why"]) == (Code.SQL_LIMIT, "why.sql_time")
    assert f"db/{name}" in found.detail
    assert RawLimits().script_seconds == 30


V1: Mapping[str, str] = {"schema.sql": "CREATE TABLE IF NOT EXISTS t (a);"}
V2: Mapping[str, str] = {**V1, "migrations/1_add.sql": ADD}
BAD: Mapping[str, str] = {**V2, "migrations/2_bad.sql": "DELETE FROM t; INSERT INTO none VALUES (1);"}


async def test_an_upgrade_takes_the_migrated_copy_over_and_keeps_what_was_before(tmp_path: Path) -> None:
    old, new = source(tmp_path, V1), source(tmp_path, V2, stamp="2")
    async with raw_databases() as service:
        await Raw(service, old).add("t", a=1)
        activation = await service.prepare(new, before=old)
        await activation.commit()
        assert await Raw(service, new).ask("SELECT * FROM t") == [{"a": 1, "b": "new"}]
        with pytest.raises(NotochordError) as found:
            await Raw(service, old).ask("SELECT * FROM t")
        assert found.value.code is Code.CANCELLED
        names = [path.name for path in new.folder.iterdir()]
        assert len([name for name in names if name.startswith("raw.db.bak-")]) == 1


@pytest.mark.parametrize("files", [BAD, {"schema.sql": "CREATE TABLE t (a);"}])
async def test_an_upgrade_that_fails_leaves_everything_as_it_was(tmp_path: Path, files: Mapping[str, str]) -> None:
    old, new = source(tmp_path, V1), source(tmp_path, files, stamp="2")
    async with raw_databases() as service:
        await Raw(service, old).add("t", a=1)
        with pytest.raises(NotochordError) as found:
            await service.prepare(new, before=old)
        assert found.value.code is Code.SQL_FAILED
        assert await Raw(service, old).ask("SELECT * FROM t") == [{"a": 1}]
        assert sorted(path.name for path in old.folder.iterdir()) == ["raw.db", "raw.db-wal"]


async def test_an_upgrade_that_is_given_up_leaves_everything_as_it_was(tmp_path: Path) -> None:
    old, new = source(tmp_path, V1), source(tmp_path, V2, stamp="2")
    async with raw_databases() as service:
        await Raw(service, old).add("t", a=1)
        await (await service.prepare(new, before=old)).abandon()
        assert await Raw(service, old).ask("SELECT * FROM t") == [{"a": 1}]


class Stopped(BaseException):
    """Ends the program at a boundary."""


@pytest.mark.parametrize(
    ("end", "current"),
    [
        ("raw copied", "1"), ("raw migrated", "1"), ("raw copy waits", "1"), ("prepared", "1"), ("prepared", "2"),
        ("database kept", "2"), ("copy in place", "2"),
    ],
)  # fmt: skip
async def test_a_stop_on_the_way_leaves_the_old_database_for_the_old_version_and_the_new_one_for_the_new(
    tmp_path: Path, end: str, current: str
) -> None:
    def boundary(name: str) -> None:
        if name == end:
            raise Stopped

    async def upgrade(service: RawDatabaseService) -> None:
        activation = await service.prepare(new, before=old)
        boundary("prepared")
        await activation.commit()
        await Raw(service, new).ask("SELECT 1")

    vault = MemoryVault()
    old, new = source(tmp_path, V1), source(tmp_path, V2, stamp="2")
    async with raw_databases(vault=vault) as service:
        await Raw(service, old).add("t", a=1)
    service = made_service(vault=vault, boundary=boundary)  # never closed: the program is gone
    with pytest.raises(Stopped):
        await upgrade(service)
    owner, expected = (old, {"a": 1}) if current == "1" else (new, {"a": 1, "b": "new"})
    assert await opened(tmp_path, vault, owner) == [expected]
