"""Makes the table of settings: JSON by name."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
