"""What is written but not sent yet, for each conversation."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    """Make the table."""
    connection.execute(
        """
        CREATE TABLE chat_drafts (
            chat TEXT NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (chat)
        ) STRICT
        """
    )
