"""The tables of `data.db`, the store of one owner."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text

METADATA = MetaData()

KV = Table(
    "kv",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

CHANGES = Table(
    "changes",
    METADATA,
    Column("sequence", Integer, primary_key=True),
    Column("device", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("actor", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("conversation", Text, nullable=False),
    Column("branch", Text, nullable=False),
    Column("turn", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("before", Text),
    Column("after", Text),
    Index("changes_by_subject", "kind", "subject"),
    Index("changes_by_cause", "conversation", "branch", "turn"),
    Index("changes_by_run", "run"),
    sqlite_autoincrement=True,
)
