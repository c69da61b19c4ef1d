"""Questions to a person with their answers, and permissions that hold for a conversation."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute("""
        CREATE TABLE approvals (
            id TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            title TEXT NOT NULL,
            arguments TEXT NOT NULL,
            holds INTEGER NOT NULL,
            actor TEXT NOT NULL,
            caller TEXT NOT NULL,
            conversation TEXT NOT NULL,
            branch TEXT NOT NULL,
            turn TEXT NOT NULL,
            run TEXT NOT NULL,
            step TEXT NOT NULL,
            state TEXT NOT NULL,
            asked_at INTEGER NOT NULL,
            decided_at INTEGER NOT NULL,
            decided_by TEXT NOT NULL,
            note TEXT NOT NULL
        ) STRICT
    """)
    connection.execute("CREATE INDEX approvals_by_state ON approvals (state, conversation)")
    connection.execute("CREATE INDEX approvals_by_conversation ON approvals (conversation)")
    connection.execute("""
        CREATE TABLE permissions (
            conversation TEXT NOT NULL,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            given_at INTEGER NOT NULL,
            PRIMARY KEY (conversation, kind, subject)
        ) STRICT
    """)
