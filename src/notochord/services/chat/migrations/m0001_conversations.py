"""The tables of conversations."""

import sqlite3

STATEMENTS = (
    """
    CREATE TABLE chats (
        id TEXT NOT NULL,
        parent TEXT,
        parent_call TEXT NOT NULL,
        role TEXT NOT NULL,
        title TEXT NOT NULL,
        title_state TEXT NOT NULL,
        pinned INTEGER NOT NULL,
        folder TEXT NOT NULL,
        own_folder INTEGER NOT NULL,
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        chosen_by TEXT NOT NULL,
        plan_mode INTEGER NOT NULL,
        branch TEXT NOT NULL,
        answering TEXT NOT NULL,
        failed INTEGER NOT NULL,
        deleted INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(parent) REFERENCES chats (id) ON DELETE CASCADE
    ) STRICT
    """,
    "CREATE INDEX chats_by_parent ON chats (parent)",
    """
    CREATE TABLE chat_branches (
        id TEXT NOT NULL,
        chat TEXT NOT NULL,
        parent TEXT,
        from_depth INTEGER NOT NULL,
        used_at INTEGER NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(chat) REFERENCES chats (id) ON DELETE CASCADE
    ) STRICT
    """,
    "CREATE INDEX chat_branches_by_chat ON chat_branches (chat)",
    """
    CREATE TABLE chat_entries (
        id TEXT NOT NULL,
        chat TEXT NOT NULL,
        branch TEXT NOT NULL,
        depth INTEGER NOT NULL,
        parent TEXT NOT NULL,
        turn TEXT NOT NULL,
        role TEXT NOT NULL,
        parts TEXT NOT NULL,
        background TEXT NOT NULL,
        at INTEGER NOT NULL,
        state TEXT NOT NULL,
        error TEXT NOT NULL,
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        PRIMARY KEY (id),
        UNIQUE (branch, depth),
        FOREIGN KEY(chat) REFERENCES chats (id) ON DELETE CASCADE
    ) STRICT
    """,
    "CREATE INDEX chat_entries_by_parent ON chat_entries (chat, parent)",
    """
    CREATE TABLE chat_opened (
        chat TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (chat, name),
        FOREIGN KEY(chat) REFERENCES chats (id) ON DELETE CASCADE
    ) STRICT
    """,
    """
    CREATE TABLE chat_reverts (
        chat TEXT NOT NULL,
        branch TEXT NOT NULL,
        turn TEXT NOT NULL,
        PRIMARY KEY (chat, branch, turn),
        FOREIGN KEY(chat) REFERENCES chats (id) ON DELETE CASCADE
    ) STRICT
    """,
    """
    CREATE TABLE chat_summaries (
        id TEXT NOT NULL,
        chat TEXT NOT NULL,
        branch TEXT NOT NULL,
        depth INTEGER NOT NULL,
        upto TEXT NOT NULL,
        text TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(chat) REFERENCES chats (id) ON DELETE CASCADE
    ) STRICT
    """,
    "CREATE INDEX chat_summaries_by_chat ON chat_summaries (chat)",
    "CREATE INDEX chat_summaries_by_place ON chat_summaries (branch, depth)",
    """
    CREATE TABLE chat_switched_off (
        chat TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (chat, name),
        FOREIGN KEY(chat) REFERENCES chats (id) ON DELETE CASCADE
    ) STRICT
    """,
    """
    CREATE TABLE chat_attachments (
        entry TEXT NOT NULL,
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (entry, position),
        FOREIGN KEY(entry) REFERENCES chat_entries (id) ON DELETE CASCADE
    ) STRICT
    """,
    """
    CREATE TABLE chat_calls (
        entry TEXT NOT NULL,
        position INTEGER NOT NULL,
        call TEXT NOT NULL,
        name TEXT NOT NULL,
        state TEXT NOT NULL,
        text TEXT NOT NULL,
        code TEXT NOT NULL,
        milliseconds INTEGER NOT NULL,
        PRIMARY KEY (entry, position),
        FOREIGN KEY(entry) REFERENCES chat_entries (id) ON DELETE CASCADE
    ) STRICT
    """,
)


def upgrade(connection: sqlite3.Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
