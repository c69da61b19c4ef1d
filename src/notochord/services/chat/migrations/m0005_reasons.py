"""Adds what the sentence for people is made of when a tool call failed of something that they can change."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    """Add the column; earlier calls have their code and the model's text only."""
    connection.execute("ALTER TABLE chat_calls ADD COLUMN reason TEXT NOT NULL DEFAULT ''")
