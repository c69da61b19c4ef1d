"""Compares the tables that a service describes with those that its migrations make."""

import sqlite3

from sqlalchemy import MetaData
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from notochord.persistence.migrations import Component

Shape = dict[str, object]


def assert_same_schema(metadata: MetaData, components: tuple[Component, ...]) -> None:
    """Fail unless the migrated tables and indexes are those of `metadata`, all of them STRICT."""
    migrated = sqlite3.connect(":memory:")
    described = sqlite3.connect(":memory:")
    try:
        for component in components:
            for step in component.steps:
                step(migrated)
        for table in metadata.sorted_tables:
            described.execute(str(CreateTable(table).compile(dialect=sqlite.dialect())))
            for index in table.indexes:
                described.execute(str(CreateIndex(index).compile(dialect=sqlite.dialect())))
        assert _shape(migrated) == _shape(described)
        loose = [row[1] for row in migrated.execute("PRAGMA table_list") if not row[5] and not _internal(row[1])]
        assert not loose, f"tables that are not STRICT: {loose}"
    finally:
        migrated.close()
        described.close()


def _internal(name: str) -> bool:
    return name.startswith("sqlite_")


def _shape(connection: sqlite3.Connection) -> Shape:
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: _table(connection, name) for name in names if not _internal(name)}


def _table(connection: sqlite3.Connection, name: str) -> Shape:
    columns = {
        row[1]: (row[2], bool(row[3]) or bool(row[5]), row[5])
        for row in connection.execute(f"PRAGMA table_xinfo('{name}')")
    }
    indexes = set()
    for row in connection.execute(f"PRAGMA index_list('{name}')").fetchall():
        inner = tuple(column[2] for column in connection.execute(f"PRAGMA index_info('{row[1]}')"))
        indexes.add((inner, bool(row[2]), "" if _internal(row[1]) else row[1]))
    keys = {tuple(row[2:7]) for row in connection.execute(f"PRAGMA foreign_key_list('{name}')")}
    return {"columns": columns, "indexes": indexes, "foreign keys": keys}
