"""What the SOPs of gems call, as found at the installation."""

import sqlite3

_STATEMENT = """
    CREATE TABLE gem_sop_calls (
        gem TEXT NOT NULL,
        sop TEXT NOT NULL,
        target TEXT NOT NULL,
        PRIMARY KEY (gem, sop, target)
    ) STRICT
    """


def upgrade(connection: sqlite3.Connection) -> None:
    connection.execute(_STATEMENT)
