"""A gem's own database from its tools, in its package, and through upgrades that are killed on the way."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from support.gems import FILES, PackageMaker, Platform, manifest, platform, tool
from support.guests import real_sandbox

SAMPLE = """export default async function (input, ctx) {
  const since = 0;
  const { id } = await ctx.storage.sql.insert('notes', { title: input.title, created_at: Date.now() });
  const rows = await ctx.storage.sql.query('SELECT id, title FROM notes WHERE created_at > ? LIMIT 50', [since]);
  return { id, rows };
}"""
SCHEMA = "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, title TEXT, created_at INTEGER);"
ADD = "ALTER TABLE notes ADD COLUMN lang TEXT DEFAULT 'en';"
V1 = {**FILES, "tools/greet.ts": SAMPLE, "db/schema.sql": SCHEMA}
V2 = {**V1, "db/migrations/0002_add_lang.sql": ADD}


@pytest.fixture
async def guests(tmp_path: Path) -> AsyncIterator[Platform]:
    async with real_sandbox(tmp_path) as sandbox, platform(tmp_path / "org", guests=sandbox) as made:
        yield made


def package(packages: PackageMaker, files: Mapping[str, str], version: str = "1.0.0") -> Path:
    return packages.make(manifest(version=version, tools=[tool(inputSchema={"type": "object"})]), files)


async def greet(guests: Platform, folder: Path, **given: Json) -> Any:
    return await guests.service.call("greeter", "greet", given, folder, Cause("talk"))


@pytest.mark.req("DATA-440", "DATA-441", "PKG-011", "PKG-012")
async def test_the_sample_of_the_page_runs_on_the_schema_of_the_package(
    guests: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    await guests.service.install(package(packages, V1))
    assert (guests.folder.gem_store("greeter") / "raw.db").exists()
    assert await greet(guests, tmp_path, title="a") == {"id": 1, "rows": [{"id": 1, "title": "a"}]}
    assert (await greet(guests, tmp_path, title="b"))["id"] == 2
    (table,) = await guests.service.raw_tables("greeter")
    assert (table.name, table.rows) == ("notes", 2)


@pytest.mark.req("DATA-514")
async def test_an_error_of_sql_has_a_code_of_its_own(guests: Platform, packages: PackageMaker, tmp_path: Path) -> None:
    source = """export default async (input, { storage }) => {
      const failed = (work) => work.then(() => null, (error) => [error.code, error.message.startsWith(error.code)]);
      return [await failed(storage.sql.query('SELEC')), await failed(storage.sql.query('ATTACH ? AS x', ['y'])),
        await failed(storage.sql.query(1)), await failed(storage.sql.insert('none', {}))];
    }"""
    await guests.service.install(package(packages, {"tools/greet.ts": source}))
    failed, refused = ["E_SQL_FAILED", True], ["E_SQL_REFUSED", True]
    assert await greet(guests, tmp_path) == [failed, refused, failed, failed]


@pytest.mark.req("DATA-444", "PKG-013")
@pytest.mark.parametrize("name", ["db/schema.sql", "db/migrations/1_a.sql"])
async def test_an_installation_reports_sql_that_does_not_work_and_leaves_nothing(
    guests: Platform, packages: PackageMaker, name: str
) -> None:
    with pytest.raises(NotochordError) as found:
        await guests.service.install(package(packages, {**FILES, name: "CREATE TABEL t (a);"}))
    assert found.value.code is Code.SQL_FAILED
    assert name in found.value.detail
    assert await guests.service.all() == ()
    assert not guests.folder.gem_store("greeter").exists()


@pytest.mark.req("PKG-013", "DATA-449")
async def test_a_gem_whose_schema_fails_at_its_start_does_not_run(
    guests: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    once = {**V1, "db/schema.sql": SCHEMA.replace(" IF NOT EXISTS", "")}
    await guests.service.install(package(packages, once))
    assert (await greet(guests, tmp_path, title="a"))["id"] == 1
    await guests.raw.remove("gem:greeter")  # as the end of the program does
    with pytest.raises(NotochordError) as found:
        await greet(guests, tmp_path, title="b")
    assert found.value.code is Code.SQL_FAILED
    assert (await guests.service.get("greeter")).state == "E_SQL_FAILED"


async def test_an_upgrade_runs_its_migrations_and_keeps_a_copy(
    guests: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    await guests.service.install(package(packages, V1))
    await greet(guests, tmp_path, title="a")
    source = "export default (input, { storage }) => storage.sql.query('SELECT title, lang FROM notes');"
    await guests.service.install(package(packages, {**V2, "tools/greet.ts": source}, "2.0.0"))
    assert await greet(guests, tmp_path) == [{"title": "a", "lang": "en"}]
    assert len(list(guests.folder.gem_store("greeter").glob("raw.db.bak-*"))) == 1


async def test_an_upgrade_whose_migration_fails_leaves_the_old_version_with_its_rows(
    guests: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    await guests.service.install(package(packages, V1))
    await greet(guests, tmp_path, title="a")
    bad = {**V2, "db/migrations/3_bad.sql": "DELETE FROM notes; INSERT INTO none VALUES (1);"}
    with pytest.raises(NotochordError) as found:
        await guests.service.install(package(packages, bad, "2.0.0"))
    assert found.value.code is Code.ACTIVATION_FAILED
    assert "E_SQL_FAILED: db/migrations/3_bad.sql: no such table: none" in found.value.detail
    assert (await greet(guests, tmp_path, title="b"))["rows"] == [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]


async def test_a_removed_gem_leaves_no_database_and_no_process(
    guests: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    await guests.service.install(package(packages, V1))
    await greet(guests, tmp_path, title="a")
    await guests.service.remove("greeter")
    assert not guests.folder.gem_store("greeter").exists()
    await guests.service.install(package(packages, V1))
    assert (await greet(guests, tmp_path, title="b"))["id"] == 1


@pytest.mark.req("DATA-451", "DATA-455", "DATA-456")
@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("db/migrations/add.sql", "", "not a number"),
        ("db/migrations/1-add.sql", "", "not a number"),
        ("db/migrations/1_.sql", "", "not a number"),
        ("db/migrations/1_add.txt", "", "not a number"),
        ("db/migrations/more/1_add.sql", "", "not a number"),
        ("db/migrations/0002_again.sql", "", "the same number"),
        ("db/schema.sql", "x" * 1_048_577, "over"),
    ],
)
async def test_a_wrong_file_in_db_is_refused_at_packing_and_at_installing(
    guests: Platform, packages: PackageMaker, path: str, text: str, said: str
) -> None:
    files = {**FILES, "db/migrations/2_first.sql": "", path: text}
    with pytest.raises(NotochordError) as found:
        await guests.service.install(package(packages, files))
    assert found.value.code is Code.PERM_INVALID
    assert path in found.value.detail
    assert said in found.value.detail
