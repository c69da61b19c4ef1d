"""Statements of a gem on its own database: what they give, what they may not do, and what stops them."""

import json
from pathlib import Path
from typing import Any

import pytest
import sqlcipher3.dbapi2 as sqlite

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.raw_databases.ports import RawLimits
from support.raw_databases import Raw, raw_databases, source, sql

QUICK = RawLimits(seconds=0.4)
ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
NO_STEPS = "SELECT instr(hex(zeroblob(5000000)), hex(zeroblob(2500000)) || 'b')"
"""Runs for minutes inside one step of SQLite, where it asks nobody whether to go on."""

FORBIDDEN = [
    "ATTACH 'other.db' AS other",
    "/* */ attach/**/database ':memory:' as other",
    "DETACH main",
    "PRAGMA user_version",
    "PRAGMA writable_schema = ON",
    "PRAGMA data_version",
    "EXPLAIN PRAGMA user_version",
    "SELECT * FROM pragma_table_info('t')",
    "SELECT * FROM pragma_user_version",
    "VACUUM",
    "VACUUM INTO 'copy.db'",
    "SELECT load_extension('other')",
    "SELECT sqlcipher_export('other')",
    "CREATE TEMP TABLE t2 (a)",
    "CREATE VIRTUAL TABLE t2 USING fts4(a)",
    "BEGIN",
    "COMMIT",
    "SAVEPOINT a",
    "SELECT * FROM notochord_migrations",
    "DELETE FROM Notochord_Migrations",
    "DROP TABLE notochord_migrations",
    "ALTER TABLE notochord_migrations RENAME TO t2",
]
TAKEN_BY_BARE_SQLITE = [
    text for text in FORBIDDEN if not any(word in text for word in ("DETACH", "extension", "export", "COMMIT"))
]


async def failure(raw: Raw, text: str, params: Any = None) -> NotochordError:
    with pytest.raises(NotochordError) as found:
        await raw.ask(text, params)
    return found.value


@pytest.mark.req("DATA-440", "DATA-436", "DATA-447")
async def test_parameters_are_bound_and_rows_come_back_as_an_array(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, at INTEGER)")
        await raw.ask("INSERT INTO notes (title, at) VALUES (?, ?), ('b', :at)", ["'; DROP TABLE notes; --", 1, 2])
        assert await raw.ask("SELECT title, at FROM notes WHERE at > ? ORDER BY id", [0]) == [
            {"title": "'; DROP TABLE notes; --", "at": 1},
            {"title": "b", "at": 2},
        ]
        assert await raw.ask("SELECT :a AS a", {"a": None}) == [{"a": None}]


async def test_values_that_json_has_no_word_for_are_marked(tmp_path: Path) -> None:
    async with raw_databases() as service:
        given = [{"b": "AP8="}, {"i": str(2**60)}, 9e999, "x"]
        statement = json.dumps({"sql": "SELECT ? AS a, ? AS b, 9e999 AS c, 'x' AS d", "params": given[:2]}).encode()
        rows = await service.query(source(tmp_path), statement)
    assert json.loads(rows.json) == [{"a": "AP8=", "b": str(2**60), "c": "Infinity", "d": "x"}]
    assert rows.odd == [[0, "a", "bytes"], [0, "b", "integer"], [0, "c", "real"]]


@pytest.mark.req("DATA-441")
async def test_an_added_row_has_its_rowid(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask('CREATE TABLE "odd ""name" ("a b" TEXT)')
        await raw.ask("CREATE TABLE keyed (k PRIMARY KEY) WITHOUT ROWID")
        assert [await raw.add('odd "name', **{"a b": text}) for text in "xy"] == [1, 2]
        assert await raw.add('odd "name') == 3
        assert await raw.add("keyed", k="z") is None


@pytest.mark.req("DATA-457", "DATA-458", "DATA-459", "DATA-460")
async def test_a_forbidden_statement_is_refused_however_it_is_spelled(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE t (a)")
        found = {text: (await failure(raw, text)).code for text in FORBIDDEN}
        assert found == dict.fromkeys(FORBIDDEN, Code.SQL_REFUSED)


@pytest.mark.req("DATA-461")
async def test_vacuum_is_refused_and_writes_nothing(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        for text in ("VACUUM", "vacuum main", "VACUUM INTO 'copy.db'"):
            assert (await failure(raw, text)).code is Code.SQL_REFUSED
        assert sorted(path.name for path in raw.owner.folder.iterdir()) == ["raw.db", "raw.db-wal"]


async def test_a_trigger_and_a_view_do_no_more_than_a_statement(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE t (a)")
        await raw.ask("CREATE TRIGGER tr AFTER INSERT ON t BEGIN DELETE FROM notochord_migrations; END")
        await raw.ask("CREATE VIEW v AS SELECT * FROM pragma_user_version")
        assert (await failure(raw, "INSERT INTO t VALUES (1)")).code is Code.SQL_REFUSED
        assert (await failure(raw, "SELECT * FROM v")).code in (Code.SQL_REFUSED, Code.SQL_FAILED)


@pytest.mark.parametrize("text", TAKEN_BY_BARE_SQLITE)
async def test_without_the_guard_the_same_statements_are_carried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    connection = sqlite.connect(str(tmp_path / "bare.db"), isolation_level=None)
    connection.execute("CREATE TABLE t (a)")
    connection.execute("CREATE TABLE notochord_migrations (number, name)")
    connection.execute(text)
    connection.close()


async def test_full_text_and_tree_tables_work(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE VIRTUAL TABLE texts USING fts5(body)")
        await raw.ask("CREATE VIRTUAL TABLE places USING rtree(id, low, high)")
        await raw.add("texts", body="a quick fox")
        await raw.add("places", id=1, low=0, high=2)
        assert await raw.ask("SELECT body FROM texts WHERE texts MATCH 'quick'") == [{"body": "a quick fox"}]
        assert await raw.ask("SELECT id FROM places WHERE low < 1") == [{"id": 1}]


@pytest.mark.req("DATA-514")
async def test_a_wrong_statement_fails_with_sqlites_words_and_changes_nothing(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE t (a UNIQUE)")
        wrong = {"SELEC": "syntax", "INSERT INTO t VALUES (1), (1)": "UNIQUE", "SELECT 1; SELECT 2": "one statement"}
        for text, said in wrong.items():
            found = await failure(raw, text)
            assert (found.code, said in found.detail) == (Code.SQL_FAILED, True), found.detail
        assert await raw.ask("SELECT * FROM t") == []
        assert (await failure(raw, "SELECT ?", [[1]])).code is Code.SQL_FAILED


@pytest.mark.req("DATA-468", "DATA-471")
async def test_a_statement_without_an_end_is_stopped_and_the_next_one_runs(tmp_path: Path) -> None:
    async with raw_databases(limits=QUICK) as service:
        raw = Raw(service, source(tmp_path))
        found = await failure(raw, ENDLESS)
        assert (found.code, found.parameters["why"]) == (Code.SQL_LIMIT, "why.sql_time")
        assert await raw.ask("SELECT 1 AS a") == [{"a": 1}]
    assert RawLimits().seconds == 10


@pytest.mark.req("DATA-471")
async def test_a_statement_that_asks_nobody_whether_to_go_on_is_stopped_by_killing_its_process(tmp_path: Path) -> None:
    async with raw_databases(limits=QUICK) as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE t (a)")
        await raw.add("t", a=1)
        found = await failure(raw, NO_STEPS)
        assert (found.code, found.parameters["why"]) == (Code.SQL_LIMIT, "why.sql_time")
        assert await raw.ask("SELECT a FROM t") == [{"a": 1}]


@pytest.mark.req("DATA-466")
async def test_a_statement_gives_a_hundred_thousand_rows_and_no_more(tmp_path: Path) -> None:
    count = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT {}) SELECT x FROM c"
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        assert len(await raw.ask(count.format(100_000))) == 100_000
        found = await failure(raw, count.format(100_001))
    assert (found.code, found.parameters["why"]) == (Code.SQL_LIMIT, "why.sql_rows")


@pytest.mark.req("DATA-467")
async def test_a_statement_gives_16_mb_and_no_more_and_what_gave_more_changed_nothing(tmp_path: Path) -> None:
    room = 16 * 1024 * 1024 - len('[{"a":""}]')
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        assert len((await raw.ask("SELECT printf('%*d', ?, 1) AS a", [room]))[0]["a"]) == room
        await raw.ask("CREATE TABLE t (a)")
        found = await failure(raw, "INSERT INTO t VALUES (printf('%*d', ?, 1)) RETURNING a", [room + 1])
        assert (found.code, found.parameters["why"]) == (Code.SQL_LIMIT, "why.sql_bytes")
        assert await raw.ask("SELECT * FROM t") == []


@pytest.mark.req("DATA-465")
async def test_a_database_that_would_become_too_large_stays_as_it_was(tmp_path: Path) -> None:
    async with raw_databases(limits=RawLimits(database_bytes=1024 * 1024)) as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE t (a)")
        await raw.ask("INSERT INTO t VALUES (zeroblob(500000))")
        found = await failure(raw, "INSERT INTO t VALUES (zeroblob(600000))")
        assert (found.code, found.parameters["why"]) == (Code.SQL_LIMIT, "why.sql_size")
        assert await raw.ask("SELECT length(a) AS n FROM t") == [{"n": 500_000}]
    assert RawLimits().database_bytes == 256 * 1024 * 1024
    assert (raw.owner.folder / "raw.db").stat().st_size <= 1024 * 1024


async def test_a_statement_that_wants_too_much_memory_fails_alone(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        for text in ("SELECT zeroblob(900000000)", "SELECT hex(zeroblob(150000000))"):
            found = await failure(raw, text)
            assert (found.code, found.parameters["why"]) == (Code.SQL_LIMIT, "why.sql_memory")
        assert await raw.ask("SELECT 1 AS a") == [{"a": 1}]


async def test_what_is_no_statement_at_all_is_refused(tmp_path: Path) -> None:
    async with raw_databases() as service:
        owner = source(tmp_path)
        for content in (b"", b"[]", b"{", b'{"sql": 1}', b"[" * 100_000, sql("SELECT :a", {"b": 1})):
            with pytest.raises(NotochordError) as found:
                await service.query(owner, content)
            assert found.value.code is Code.SQL_FAILED
        with pytest.raises(NotochordError) as found:
            await service.insert(owner, b'{"table": "t", "row": []}')
        assert found.value.code is Code.SQL_FAILED
