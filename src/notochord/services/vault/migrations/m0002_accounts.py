"""Adds what accounts that are signed in to need, the counted use, and which project may use which account."""

import sqlite3

COLUMNS = (
    "prefix TEXT NOT NULL DEFAULT ''",
    "template TEXT NOT NULL DEFAULT ''",
    "oauth TEXT NOT NULL DEFAULT ''",
    "client_secret TEXT NOT NULL DEFAULT ''",
    "refresh_token TEXT NOT NULL DEFAULT ''",
    "expires_at INTEGER NOT NULL DEFAULT 0",
    "sign_in TEXT NOT NULL DEFAULT 'ready'",
    "uses INTEGER NOT NULL DEFAULT 0",
    "last_used INTEGER NOT NULL DEFAULT 0",
)


def upgrade(connection: sqlite3.Connection) -> None:
    for column in COLUMNS:
        connection.execute(f"ALTER TABLE connections ADD COLUMN {column}")
    connection.execute(
        """
        CREATE TABLE connection_grants (
            connection TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            PRIMARY KEY (connection, kind, subject)
        ) STRICT
        """
    )
