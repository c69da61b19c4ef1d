"""Makes the tables of the vault; the file they are in is encrypted as a whole."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute(
        """
        CREATE TABLE connections (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            placement TEXT NOT NULL,
            field TEXT NOT NULL,
            hosts TEXT NOT NULL,
            paths TEXT NOT NULL,
            plain_http TEXT NOT NULL,
            secret TEXT NOT NULL
        ) STRICT
        """
    )
    connection.execute("CREATE TABLE store_keys (owner TEXT PRIMARY KEY, key BLOB NOT NULL) STRICT")
