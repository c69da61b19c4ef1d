"""What went back when a branch was left, to be told where the new one begins."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    """Make the table."""
    connection.execute(
        """
        CREATE TABLE chat_taken_back (
            chat TEXT NOT NULL,
            branch TEXT NOT NULL,
            left_branch TEXT NOT NULL,
            turn TEXT NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (chat, branch, left_branch, turn),
            FOREIGN KEY(chat) REFERENCES chats (id) ON DELETE CASCADE
        ) STRICT
        """
    )
