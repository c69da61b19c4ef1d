"""The table of the journal in main.db."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text

METADATA = MetaData()

TOUCHES = Table(
    "touches",
    METADATA,
    Column("conversation", Text, primary_key=True),
    Column("branch", Text, primary_key=True),
    Column("turn", Text, primary_key=True),
    Column("run", Text, primary_key=True),
    Column("store", Text, primary_key=True),
    Column("at", Integer, nullable=False),
    Index("touches_by_run", "run"),
)
