"""How often the code of gems failed."""

import sqlite3

_STATEMENT = """
    CREATE TABLE gem_failures (
        gem TEXT NOT NULL,
        place TEXT NOT NULL,
        code TEXT NOT NULL,
        times INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        PRIMARY KEY (gem, place, code)
    ) STRICT
    """


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute(_STATEMENT)
