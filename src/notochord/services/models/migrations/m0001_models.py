"""Providers, their models, and the roles."""

import sqlite3

STATEMENTS = (
    """
    CREATE TABLE model_providers (
        name TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
        kind TEXT NOT NULL,
        base_url TEXT NOT NULL,
        connection TEXT NOT NULL,
        position INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE provider_models (
        provider TEXT NOT NULL COLLATE NOCASE REFERENCES model_providers (name) ON DELETE CASCADE,
        model TEXT NOT NULL,
        position INTEGER NOT NULL,
        PRIMARY KEY (provider, model)
    ) STRICT
    """,
    """
    CREATE TABLE model_roles (
        name TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
        description TEXT NOT NULL,
        provider TEXT,
        model TEXT,
        position INTEGER NOT NULL
    ) STRICT
    """,
)


def upgrade(connection: sqlite3.Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
