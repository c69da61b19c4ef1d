"""Collections, Logs, references, Blobs and documents; the records of each table get a table of their own later."""

import sqlite3

_STATEMENTS = (
    "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT",
    """
    CREATE TABLE collections (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        version INTEGER NOT NULL,
        declared INTEGER NOT NULL,
        declaration TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE deleted_records (
        n INTEGER PRIMARY KEY,
        collection INTEGER NOT NULL,
        id TEXT NOT NULL,
        version INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        deleted_at INTEGER NOT NULL,
        data TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE log_entries (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        collection INTEGER NOT NULL,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        data TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX log_entries_by_time ON log_entries (collection, at, n)",
    """
    CREATE TABLE links (
        n INTEGER PRIMARY KEY,
        source TEXT NOT NULL,
        target TEXT NOT NULL,
        kind TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        UNIQUE (source, kind, target)
    ) STRICT
    """,
    "CREATE INDEX links_by_target ON links (target, n)",
    """
    CREATE TABLE blobs (
        hash TEXT NOT NULL PRIMARY KEY,
        size INTEGER NOT NULL,
        mime TEXT,
        name TEXT,
        created_at INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE documents (
        id TEXT NOT NULL PRIMARY KEY,
        folded TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        deleted INTEGER NOT NULL,
        digest TEXT NOT NULL,
        pending TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE document_blocks (
        document TEXT NOT NULL,
        position INTEGER NOT NULL,
        id TEXT NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (document, position)
    ) STRICT
    """,
    "CREATE INDEX document_blocks_by_id ON document_blocks (document, id)",
)


def upgrade(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
