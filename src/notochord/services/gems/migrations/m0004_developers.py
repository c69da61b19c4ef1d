"""Which developers' keys the user trusts, each for one publisher and what its gems' ids begin with."""

import sqlite3

_STATEMENT = """
    CREATE TABLE gem_developers (
        key TEXT NOT NULL,
        publisher TEXT NOT NULL,
        prefix TEXT NOT NULL,
        public_key BLOB NOT NULL,
        added_at INTEGER NOT NULL,
        PRIMARY KEY (key, publisher, prefix)
    ) STRICT
    """


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute(_STATEMENT)
