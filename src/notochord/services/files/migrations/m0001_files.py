"""What was changed in files, by which cause, and where the content before is kept."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute("""
        CREATE TABLE file_changes (
            id TEXT NOT NULL PRIMARY KEY,
            conversation TEXT NOT NULL,
            branch TEXT NOT NULL,
            turn TEXT NOT NULL,
            run TEXT NOT NULL,
            step TEXT NOT NULL,
            kind TEXT NOT NULL,
            root TEXT NOT NULL,
            path TEXT NOT NULL,
            to_root TEXT NOT NULL,
            to_path TEXT NOT NULL,
            before TEXT NOT NULL,
            after TEXT NOT NULL,
            kept TEXT NOT NULL,
            kept_after TEXT NOT NULL,
            mode INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            made INTEGER NOT NULL,
            at INTEGER NOT NULL,
            reverted INTEGER NOT NULL
        ) STRICT
    """)
    connection.execute("CREATE INDEX file_changes_by_conversation ON file_changes (conversation, turn)")
    connection.execute("CREATE INDEX file_changes_by_run ON file_changes (run)")
