"""Makes the tables of the outbox."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE outbox (sequence INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, payload TEXT NOT NULL)"
        " STRICT"
    )
    connection.execute("CREATE TABLE outbox_cursors (consumer TEXT PRIMARY KEY, sequence INTEGER NOT NULL) STRICT")
