"""What has come of the replies under way, kept in pieces until each is recorded as a whole."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    """Make the table."""
    connection.execute(
        """
        CREATE TABLE chat_arriving (
            chat TEXT NOT NULL,
            position INTEGER NOT NULL,
            said TEXT NOT NULL,
            thought TEXT NOT NULL,
            PRIMARY KEY (chat, position),
            FOREIGN KEY(chat) REFERENCES chats (id) ON DELETE CASCADE
        ) STRICT
        """
    )
