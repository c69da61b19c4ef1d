"""What the user allowed each gem; a row is one thing that is allowed, and what has no row is not."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute(
        """
        CREATE TABLE gem_grants (
            gem TEXT NOT NULL,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            item TEXT NOT NULL,
            PRIMARY KEY (gem, kind, subject, item)
        ) STRICT
        """
    )
