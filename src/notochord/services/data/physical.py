"""How a declared table lies in the database: one SQLite table, a column for each scalar field, real indexes.

Rows have numbers of their own, which are never given twice. A column holds the value as it is compared: text by code
point, numbers, booleans as 0 and 1; the whole record is JSON beside them. Every index ends with the id, so that
records with equal values keep one order. Names are safe to write into SQL: fields have lowercase letters, digits and
underscores only.
"""

from collections.abc import Sequence
from functools import lru_cache

from notochord.core.strict_json import Json
from notochord.persistence.bare import BareConnection, IntegrityError
from notochord.services.data.declaration import Table

COLUMNS = "id, revision, version, created_at, updated_at, data"


def records_of(number: int) -> str:
    """Return the name of the SQLite table of a collection."""
    return f"rec_{number}"


def column(field: str) -> str:
    return f"f_{field}"


def index_name(number: int, fields: Sequence[str]) -> str:
    """Return the quoted name of the index over some fields."""
    return f'"{records_of(number)}({",".join(fields)})"'


def unique_name(number: int, field: str) -> str:
    return f'"{records_of(number)} unique({field})"'


def values_of(table: Table, content: dict[str, Json]) -> list[Json]:
    """Return what the columns of the scalar fields hold for a record."""
    return [content.get(name) for name in table.scalars]


def shape(connection: BareConnection, number: int, table: Table) -> None:
    """Bring the SQLite table of a collection to its declaration, except for indexes that are missing."""
    name = records_of(number)
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {name} (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, "
        "revision INTEGER NOT NULL, version INTEGER NOT NULL, created_at INTEGER NOT NULL, "
        "updated_at INTEGER NOT NULL, data TEXT NOT NULL) STRICT"
    )
    for gone in sorted(_indexes(connection, number) - _wanted(number, table).keys()):
        connection.execute(f"DROP INDEX {gone}")
    there = {row[1] for row in connection.execute(f"PRAGMA table_info({name})") if row[1].startswith("f_")}
    wanted = {column(field) for field in table.scalars}
    for unused in sorted(there - wanted):
        connection.execute(f"ALTER TABLE {name} DROP COLUMN {unused}")
    for new in sorted(wanted - there):
        connection.execute(f"ALTER TABLE {name} ADD COLUMN {new} ANY")


def index(connection: BareConnection, number: int, table: Table) -> None:
    """Make the indexes that are missing. Raises IntegrityError when a unique value is there twice."""
    wanted = _wanted(number, table)
    for new in sorted(wanted.keys() - _indexes(connection, number)):
        connection.execute(f"CREATE {wanted[new]}")


def drop_unique(connection: BareConnection, number: int) -> None:
    """Let values repeat themselves until `index` is called."""
    for name in sorted(_indexes(connection, number)):
        if " unique(" in name:
            connection.execute(f"DROP INDEX {name}")


def _wanted(number: int, table: Table) -> dict[str, str]:
    """Return the indexes of a declaration by their quoted names."""
    name = records_of(number)
    wanted = {}
    for fields in table.indexes:
        quoted = index_name(number, fields)
        wanted[quoted] = f"INDEX {quoted} ON {name} ({', '.join([*map(column, fields), 'id'])})"
    for field in table.fields.values():
        if field.unique:
            # Null is unlike null for SQLite: records without the field are no repetition.
            quoted = unique_name(number, field.name)
            wanted[quoted] = f"UNIQUE INDEX {quoted} ON {name} ({column(field.name)})"
    return wanted


def _indexes(connection: BareConnection, number: int) -> set[str]:
    """Return the quoted names of the indexes that are there; the one of the ids is SQLite's own."""
    listed = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
        (records_of(number),),
    )
    return {f'"{row[0]}"' for row in listed.fetchall()}


@lru_cache(maxsize=256)
def insert_sql(number: int, scalars: tuple[str, ...]) -> str:
    columns = ", ".join([COLUMNS, *map(column, scalars)])
    marks = ", ".join("?" * (6 + len(scalars)))
    return f"INSERT INTO {records_of(number)} ({columns}) VALUES ({marks})"


@lru_cache(maxsize=256)
def update_sql(number: int, fields: tuple[str, ...]) -> str:
    """Return the statement that replaces a record; the last parameter is its row."""
    columns = ", ".join(f"{name} = ?" for name in ("revision", "version", "updated_at", "data"))
    scalars = "".join(f", {column(name)} = ?" for name in fields)
    return f"UPDATE {records_of(number)} SET {columns}{scalars} WHERE n = ?"


def broken_field(error: IntegrityError, number: int) -> str:
    """Return the field whose value is there already; empty if it is the id."""
    found = str(error).rpartition(f"{records_of(number)}.")[2]
    return found.removeprefix("f_") if found.startswith("f_") else ""
