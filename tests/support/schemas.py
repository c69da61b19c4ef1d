"""Compares the tables a service declares with the tables its migrations make."""

import sqlcipher3.dbapi2 as sqlite
from sqlalchemy import Column, Connection, Index, MetaData, UniqueConstraint, create_engine, inspect
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.pool import StaticPool

from notochord.persistence.migrations import Component


def assert_same_schema(metadata: MetaData, components: tuple[Component, ...]) -> None:
    """Fail unless migrating an empty database with `components` gives exactly the tables of `metadata`.

    Compared are names, affinities, NOT NULL (key columns aside, which never are null), primary keys, foreign keys,
    unique constraints and indexes; that each table is STRICT; and that no other table is made (the shadow tables of a
    virtual one aside).
    """
    engine = create_engine("sqlite://", module=sqlite, poolclass=StaticPool)
    try:
        with engine.begin() as connection:
            bare = connection.connection.driver_connection
            for component in components:
                for step in component.steps:
                    step(bare)  # type: ignore[arg-type]
            assert _described(connection) == _declared(metadata)
            assert _lax(connection) == []
    finally:
        engine.dispose()


def _described(connection: Connection) -> dict[str, object]:
    inspector = inspect(connection)
    virtual = connection.exec_driver_sql("PRAGMA table_list").mappings().all()
    skipped = {row["name"] for row in virtual if row["type"] in ("virtual", "shadow")}
    found: dict[str, object] = {}
    for table in inspector.get_table_names():
        if table in skipped or table.startswith("sqlite_"):
            continue
        key_columns = tuple(inspector.get_pk_constraint(table)["constrained_columns"])
        found[table] = {
            "columns": {
                column["name"]: _reflected(column, column["name"] in key_columns)
                for column in inspector.get_columns(table)
            },
            "key": key_columns,
            "references": {
                (tuple(key["constrained_columns"]), key["referred_table"], tuple(key["referred_columns"]))
                for key in inspector.get_foreign_keys(table)
            },
            "unique": {tuple(key["column_names"]) for key in inspector.get_unique_constraints(table)},
            "indexes": {
                (index["name"], tuple(index["column_names"]), bool(index["unique"]))
                for index in inspector.get_indexes(table)
            },
        }
    return found


def _declared(metadata: MetaData) -> dict[str, object]:
    return {
        name: {
            "columns": {column.name: _column(column) for column in table.columns},
            "key": tuple(column.name for column in table.primary_key.columns),
            "references": {
                (
                    tuple(key.column_keys),
                    key.referred_table.name,
                    tuple(element.column.name for element in key.elements),
                )
                for key in table.foreign_key_constraints
            },
            "unique": {
                tuple(column.name for column in key.columns)
                for key in table.constraints
                if isinstance(key, UniqueConstraint)
            },
            "indexes": {_index(index) for index in table.indexes},
        }
        for name, table in metadata.tables.items()
    }


def _reflected(column: ReflectedColumn, in_key: bool) -> tuple[str, bool]:
    return _affinity(str(column["type"])), column["nullable"] and not in_key


def _column(column: Column[object]) -> tuple[str, bool]:
    return _affinity(str(column.type)), bool(column.nullable)


def _index(index: Index) -> tuple[str | None, tuple[str, ...], bool]:
    return index.name, tuple(column.name for column in index.columns), bool(index.unique)


def _affinity(name: str) -> str:
    """Return SQLite's affinity for a declared type (https://sqlite.org/datatype3.html, section 3.1)."""
    upper = name.upper()
    for words, affinity in (
        (("INT", "BOOL"), "INTEGER"),
        (("CHAR", "CLOB", "TEXT", "JSON"), "TEXT"),
        (("BLOB", "BINARY"), "BLOB"),
        (("REAL", "FLOA", "DOUB"), "REAL"),
    ):
        if any(word in upper for word in words):
            return affinity
    return upper or "BLOB"


def _lax(connection: Connection) -> list[str]:
    listed = connection.exec_driver_sql("PRAGMA table_list").mappings().all()
    return [
        row["name"]
        for row in listed
        if row["type"] == "table" and not row["strict"] and not row["name"].startswith("sqlite_")
    ]
