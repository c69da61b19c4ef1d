"""Lines that tools wrote."""

import sqlite3

_STATEMENTS = (
    """
    CREATE TABLE gem_log_lines (
        number INTEGER NOT NULL PRIMARY KEY,
        gem TEXT NOT NULL,
        tool TEXT NOT NULL,
        at INTEGER NOT NULL,
        text TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX gem_log_lines_by_gem ON gem_log_lines (gem, number)",
)


def upgrade(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
