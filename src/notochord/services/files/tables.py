"""The table of the file history in main.db."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text

METADATA = MetaData()

FILE_CHANGES = Table(
    "file_changes",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("conversation", Text, nullable=False),
    Column("branch", Text, nullable=False),
    Column("turn", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("root", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("to_root", Text, nullable=False),
    Column("to_path", Text, nullable=False),
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    Column("kept", Text, nullable=False),
    Column("kept_after", Text, nullable=False),
    Column("mode", Integer, nullable=False),
    Column("modified", Integer, nullable=False),
    Column("made", Integer, nullable=False),
    Column("at", Integer, nullable=False),
    Column("reverted", Integer, nullable=False),
    Index("file_changes_by_conversation", "conversation", "turn"),
    Index("file_changes_by_run", "run"),
)
