"""Which stores a cause is about to touch."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute("""
        CREATE TABLE touches (
            conversation TEXT NOT NULL,
            branch TEXT NOT NULL,
            turn TEXT NOT NULL,
            run TEXT NOT NULL,
            store TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (conversation, branch, turn, run, store)
        ) STRICT
    """)
    connection.execute("CREATE INDEX touches_by_run ON touches (run)")
