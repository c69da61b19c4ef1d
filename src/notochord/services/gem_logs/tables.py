"""The table of the logs in main.db."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text

METADATA = MetaData()

LINES = Table(
    "gem_log_lines",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("gem", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Index("gem_log_lines_by_gem", "gem", "number"),
)
