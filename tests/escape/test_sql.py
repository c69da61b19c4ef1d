"""The SQL of a gem gets no further than its own tables, however it is put; a bare SQLite does what it is told."""

from pathlib import Path

import pytest
import sqlcipher3.dbapi2 as sqlite

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.raw_databases.ports import RawLimits
from support.raw_databases import Raw, raw_databases, source

SETUP = (
    "CREATE TABLE t (a)",
    "INSERT INTO t VALUES ('own')",
    "CREATE VIRTUAL TABLE words USING fts5(body)",
    "INSERT INTO words VALUES ('own words')",
)
REFUSED = {
    "attach_in_a_comment": "--\nATTACH 'o.db' AS o",
    "attach_by_parameter": "ATTACH ('o' || '.db') AS o",
    "schema_made_writable": "PRAGMA writable_schema = 1",
    "schema_made_writable_by_a_call": "PRAGMA writable_schema(RESET)",
    "schema_written": "UPDATE sqlite_master SET sql = 'x'",
    "schema_row_deleted": "DELETE FROM sqlite_schema",
    "schema_row_added": "INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 3, 'CREATE TABLE x (a)')",
    "key_read": "PRAGMA key",
    "key_changed": "PRAGMA rekey = 'x'",
    "cipher_settings": "PRAGMA cipher_settings",
    "cipher_log": "PRAGMA cipher_log = 'stolen.log'",
    "journal_elsewhere": "PRAGMA journal_mode = OFF",
    "temporary_files_elsewhere": "PRAGMA temp_store_directory = '/tmp'",
    "limits_lifted": "PRAGMA hard_heap_limit = 0",
    "size_lifted": "PRAGMA max_page_count = 4294967294",
    "pragma_as_a_function": "SELECT * FROM pragma_database_list",
    "pragma_by_another_name": 'SELECT * FROM main."pragma_database_list"',
    "pragma_in_a_view": "SELECT * FROM (SELECT * FROM pragma_table_list)",
    "extension": "SELECT load_extension('/tmp/x.so')",
    "extension_in_upper_case": "SELECT LOAD_EXTENSION('/tmp/x.so', 'f')",
    "tokenizer": "SELECT fts3_tokenizer('simple', x'0000000000000000')",
    "export": "SELECT sqlcipher_export('main')",
    "virtual_table_of_a_file": "CREATE VIRTUAL TABLE v USING csv(filename = '/etc/passwd')",
    "virtual_table_without_permission": "CREATE VIRTUAL TABLE v USING dbstat(main)",
    "pages_of_the_database": "SELECT data FROM sqlite_dbpage",
    "sizes_of_the_database": "SELECT * FROM dbstat",
    "statements_of_others": "SELECT * FROM sqlite_stmt",
    "temporary_table": "CREATE TEMPORARY TABLE x (a)",
    "temporary_trigger": "CREATE TEMP TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END",
    "temporary_view": "CREATE TEMP VIEW x AS SELECT 1",
    "transaction": "BEGIN EXCLUSIVE",
    "end_of_the_transaction": "ROLLBACK",
    "savepoint": "RELEASE notochord",
    "vacuum_into": "VACUUM main INTO 'o.db'",
    "migrations_renamed": "ALTER TABLE notochord_migrations RENAME TO mine",
    "index_on_migrations": "CREATE INDEX i ON notochord_migrations (number)",
    "trigger_on_migrations": "CREATE TRIGGER x AFTER INSERT ON notochord_migrations BEGIN SELECT 1; END",
}
"""Compiled with the guard, each is refused, or SQLite itself does not know it (`_UNKNOWN`)."""

UNKNOWN = {"extension", "extension_in_upper_case", "tokenizer", "virtual_table_of_a_file", "statements_of_others",
           "pages_of_the_database", "sizes_of_the_database", "virtual_table_without_permission"}  # fmt: skip
"""What the SQLite of this program is built without, or fails at for another reason: the guard is the second barrier."""

NEED_MORE = {"schema_written", "schema_row_deleted", "schema_row_added", "export", "end_of_the_transaction",
             "savepoint", "key_changed"}  # fmt: skip
"""What a bare SQLite refuses too, in the state that the test has."""

RENAMED = {"migrations_renamed"}
"""Refused in a step that SQLite words itself."""

LIMITS = RawLimits(seconds=0.5, result_bytes=100_000, rows=1_000)
BOMBS = {
    "endless_recursion": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
    "recursion_that_doubles": "WITH RECURSIVE c(x) AS (SELECT 'x' UNION ALL SELECT x || x FROM c) SELECT max(x) FROM c",
    "product": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 5000) "
    "SELECT count(*) FROM n a, n b, n c",
    "zero_blob": "SELECT zeroblob(1000000000)",
    "chance_blob": "SELECT length(randomblob(900000000))",
    "replaced": "SELECT length(replace(hex(zeroblob(3000000)), '0', hex(zeroblob(200))))",
    "printed": "SELECT length(printf('%999999999d', 1))",
    "json": "SELECT count(*) FROM json_tree(replace(hex(zeroblob(2000000)), '0', '[') )",
    "many_terms": "SELECT 1 " + "UNION SELECT 1 " * 3_000,
    "rows": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 2000) SELECT x FROM n",
    "bytes": "SELECT hex(zeroblob(100000))",
}
STOPPED = {Code.SQL_LIMIT, Code.SQL_FAILED}


async def outcome(raw: Raw, text: str) -> str:
    try:
        return f"reached: {await raw.ask(text)}"
    except NotochordError as error:
        return error.code


async def prepared(raw: Raw) -> Raw:
    for text in SETUP:
        await raw.ask(text)
    return raw


@pytest.mark.req("DATA-457", "DATA-458", "DATA-459", "DATA-460")
async def test_no_statement_gets_past_the_guard(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = await prepared(Raw(service, source(tmp_path)))
        found = {name: await outcome(raw, text) for name, text in REFUSED.items()}
        allowed = {Code.SQL_REFUSED, Code.SQL_FAILED}
        assert {name: code for name, code in found.items() if code not in allowed} == {}
        assert {name for name, code in found.items() if code == Code.SQL_FAILED} <= UNKNOWN | NEED_MORE | RENAMED
        assert await raw.ask("SELECT a FROM t") == [{"a": "own"}]
        assert sorted(path.name for path in raw.owner.folder.iterdir()) == ["raw.db", "raw.db-wal"]


@pytest.mark.parametrize("name", sorted(REFUSED.keys() - UNKNOWN - NEED_MORE))
def test_control_a_bare_sqlite_does_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    connection = sqlite.connect(str(tmp_path / "bare.db"), isolation_level=None)
    connection.execute("CREATE TABLE notochord_migrations (number, name)")
    for text in (*SETUP[:2], REFUSED[name]):
        connection.execute(text)
    connection.close()


@pytest.mark.req("DATA-466", "DATA-467", "DATA-468", "DATA-471")
async def test_a_bomb_is_stopped_and_what_comes_next_runs(tmp_path: Path) -> None:
    async with raw_databases(limits=LIMITS) as service:
        raw = await prepared(Raw(service, source(tmp_path)))
        found = {}
        for name, text in BOMBS.items():
            found[name] = await outcome(raw, text)
            assert await raw.ask("SELECT a FROM t") == [{"a": "own"}]
        assert {name: code for name, code in found.items() if code not in STOPPED} == {}


SHADOWS = ("words_data", "words_idx", "words_content", "words_docsize", "words_config")


SPOILING = (
    "DELETE FROM {}", 'delete from main."{}"', "DROP TABLE {}", "UPDATE {} SET rowid = 9", "EXPLAIN DELETE FROM {}",
    "INSERT INTO {} SELECT * FROM {}", "WITH x AS (SELECT 1) DELETE FROM {}", "ALTER TABLE {} RENAME TO mine",
    "CREATE TRIGGER x AFTER INSERT ON {} BEGIN SELECT 1; END", "CREATE INDEX x ON {} (rowid)",
    "/* */ DELETE FROM {} -- ",
)  # fmt: skip
MATCHING = "SELECT body FROM words WHERE words MATCH 'own'"


async def test_the_tables_inside_a_full_text_table_cannot_be_spoilt(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = await prepared(Raw(service, source(tmp_path)))
        for table in (*SHADOWS, "WORDS_DATA"):
            for form in SPOILING:
                text = form.replace("{}", table)
                assert form.startswith("EXPLAIN") or not (await outcome(raw, text)).startswith("reached"), text
                await outcome(raw, f"EXPLAIN {text}")
                assert not (await outcome(raw, text)).startswith("reached") or form.startswith("EXPLAIN"), text
        with pytest.raises(NotochordError):
            await raw.add("words_config", k="version", v=9)
        for text in ("INSERT INTO words VALUES ('own too')", "DELETE FROM words WHERE body = 'own too'",
                     "INSERT INTO words (words) VALUES ('optimize')", "ALTER TABLE words RENAME TO found",
                     "ALTER TABLE found RENAME TO words"):  # fmt: skip
            await raw.ask(text)
        assert await raw.ask(MATCHING) == [{"body": "own words"}]
        await raw.ask("DROP TABLE words")
        await raw.ask("CREATE TABLE words_data (a)")
        await raw.ask("INSERT INTO words_data VALUES (1)")


async def test_a_trigger_made_before_the_full_text_table_writes_no_more_into_it(tmp_path: Path) -> None:
    async with raw_databases() as service:
        raw = Raw(service, source(tmp_path))
        await raw.ask("CREATE TABLE t (a)")
        await raw.ask("CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM words_data; END")
        for text in SETUP[2:]:
            await raw.ask(text)
        assert not (await outcome(raw, "INSERT INTO t VALUES (1)")).startswith("reached")
        assert await raw.ask(MATCHING) == [{"body": "own words"}]


def test_control_a_bare_sqlite_spoils_it(tmp_path: Path) -> None:
    connection = sqlite.connect(str(tmp_path / "bare.db"), isolation_level=None)
    for text in (*SETUP, "DELETE FROM words_data"):
        connection.execute(text)
    with pytest.raises(sqlite.DatabaseError):
        connection.execute(MATCHING).fetchall()
    connection.close()


async def test_a_statement_kept_from_before_is_compiled_by_the_guard_again(tmp_path: Path) -> None:
    """The same text as one that was let through, after the name that it reads means something else."""
    async with raw_databases() as service:
        raw = await prepared(Raw(service, source(tmp_path)))
        await raw.ask("CREATE TABLE later (a)")
        assert await raw.ask("SELECT * FROM later") == []
        await raw.ask("DROP TABLE later")
        await raw.ask("CREATE VIEW later AS SELECT number FROM notochord_migrations")
        assert await outcome(raw, "SELECT * FROM later") == Code.SQL_REFUSED


HIDDEN = {
    "generated_column": "CREATE TABLE g (a, b AS (load_extension(a)))",
    "default_value": "CREATE TABLE g (a, b DEFAULT (sqlcipher_export('main')))",
    "check": "CREATE TABLE g (a CHECK (load_extension(a) IS NULL))",
    "partial_index": "CREATE INDEX g ON t (a) WHERE load_extension(a) IS NULL",
    "index_on_an_expression": "CREATE INDEX g ON t (load_extension(a))",
    "trigger_with_an_extension": "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT load_extension('x'); END",
    "trigger_that_reads_pages": "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT * FROM pragma_database_list; END",
    "view_of_migrations": "CREATE VIEW g AS SELECT number AS a FROM notochord_migrations",
    "trigger_into_full_text": "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM words_data; END",
    "trigger_that_calls_itself": "CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO t SELECT a || 'x' FROM t; END",
}


@pytest.mark.parametrize("name", HIDDEN)
async def test_what_is_hidden_in_a_schema_runs_with_no_more_rights(tmp_path: Path, name: str) -> None:
    async with raw_databases(limits=RawLimits(seconds=2, database_bytes=2 * 1024 * 1024)) as service:
        raw = await prepared(Raw(service, source(tmp_path)))
        found = await outcome(raw, HIDDEN[name])
        for text in ("INSERT INTO g (a) VALUES ('x')", "INSERT INTO t VALUES ('y')", "SELECT * FROM g"):
            if found.startswith("reached"):
                found = await outcome(raw, text)
        assert found in {Code.SQL_REFUSED, *STOPPED}
        assert "own" in str(await raw.ask("SELECT a FROM t LIMIT 1"))
