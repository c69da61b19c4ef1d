"""Makes the table of model calls."""

import sqlite3


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute(
        """
        CREATE TABLE model_use (
            id TEXT PRIMARY KEY,
            at INTEGER NOT NULL,
            day TEXT NOT NULL,
            feature TEXT NOT NULL,
            provider TEXT NOT NULL,
            model TEXT NOT NULL,
            run TEXT NOT NULL,
            input_tokens INTEGER NOT NULL,
            output_tokens INTEGER NOT NULL
        ) STRICT
        """
    )
    connection.execute("CREATE INDEX model_use_by_day ON model_use (day)")
