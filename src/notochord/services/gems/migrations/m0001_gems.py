"""Installed gems, removals and first installations under way, and the accounts that gems may use."""

import sqlite3

_STATEMENTS = (
    """
    CREATE TABLE gems (
        id TEXT NOT NULL PRIMARY KEY,
        version TEXT NOT NULL,
        folder TEXT NOT NULL,
        trust TEXT NOT NULL,
        manifest TEXT NOT NULL,
        files TEXT NOT NULL,
        installed_at INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE TABLE gems_unfinished (id TEXT NOT NULL PRIMARY KEY) STRICT",
    """
    CREATE TABLE gem_connections (
        gem TEXT NOT NULL,
        slot TEXT NOT NULL,
        connection TEXT NOT NULL,
        PRIMARY KEY (gem, slot)
    ) STRICT
    """,
)


def upgrade(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
