"""The tables of approvals in main.db."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text

METADATA = MetaData()

APPROVALS = Table(
    "approvals",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("arguments", Text, nullable=False),
    Column("holds", Integer, nullable=False),
    Column("actor", Text, nullable=False),
    Column("caller", Text, nullable=False),
    Column("conversation", Text, nullable=False),
    Column("branch", Text, nullable=False),
    Column("turn", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("asked_at", Integer, nullable=False),
    Column("decided_at", Integer, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("note", Text, nullable=False),
    Index("approvals_by_state", "state", "conversation"),
    Index("approvals_by_conversation", "conversation"),
)

PERMISSIONS = Table(
    "permissions",
    METADATA,
    Column("conversation", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("given_at", Integer, nullable=False),
)
