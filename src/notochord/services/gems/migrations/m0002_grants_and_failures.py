"""What users allow gems, and how often the code of gems failed."""

import sqlite3

_STATEMENTS = (
    """
    CREATE TABLE gem_grants (
        gem TEXT NOT NULL,
        kind TEXT NOT NULL,
        target TEXT NOT NULL,
        PRIMARY KEY (gem, kind, target)
    ) STRICT
    """,
    """
    CREATE TABLE gem_failures (
        gem TEXT NOT NULL,
        place TEXT NOT NULL,
        code TEXT NOT NULL,
        times INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        PRIMARY KEY (gem, place, code)
    ) STRICT
    """,
)


def upgrade(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
