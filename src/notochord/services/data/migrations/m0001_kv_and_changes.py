"""Key-value pairs, and the record of every change."""

import sqlite3

_STATEMENTS = (
    "CREATE TABLE kv (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT",
    """
    CREATE TABLE changes (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        device TEXT NOT NULL,
        at INTEGER NOT NULL,
        actor TEXT NOT NULL,
        name TEXT NOT NULL,
        conversation TEXT NOT NULL,
        branch TEXT NOT NULL,
        turn TEXT NOT NULL,
        run TEXT NOT NULL,
        step TEXT NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        before TEXT,
        after TEXT
    ) STRICT
    """,
    "CREATE INDEX changes_by_subject ON changes (kind, subject)",
    "CREATE INDEX changes_by_cause ON changes (conversation, branch, turn)",
    "CREATE INDEX changes_by_run ON changes (run)",
)


def upgrade(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
