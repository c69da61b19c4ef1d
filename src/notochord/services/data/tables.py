"""The tables of `data.db`, the store of one owner; `physical` adds one for the records of each declared table."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

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

META = Table("meta", METADATA, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

COLLECTIONS = Table(
    "collections",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("declared", Integer, nullable=False),
    Column("declaration", Text, nullable=False),
    UniqueConstraint("name"),
)

DELETED_RECORDS = Table(
    "deleted_records",
    METADATA,
    Column("n", Integer, primary_key=True),
    Column("collection", Integer, nullable=False),
    Column("id", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("deleted_at", Integer, nullable=False),
    Column("data", Text, nullable=False),
)

LOG_ENTRIES = Table(
    "log_entries",
    METADATA,
    Column("n", Integer, primary_key=True),
    Column("collection", Integer, nullable=False),
    Column("id", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("data", Text, nullable=False),
    UniqueConstraint("id"),
    Index("log_entries_by_time", "collection", "at", "n"),
    sqlite_autoincrement=True,
)

LINKS = Table(
    "links",
    METADATA,
    Column("n", Integer, primary_key=True),
    Column("source", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("created_at", Integer, nullable=False),
    UniqueConstraint("source", "kind", "target"),
    Index("links_by_target", "target", "n"),
)

BLOBS = Table(
    "blobs",
    METADATA,
    Column("hash", Text, primary_key=True),
    Column("size", Integer, nullable=False),
    Column("mime", Text),
    Column("name", Text),
    Column("created_at", Integer, nullable=False),
)

DOCUMENTS = Table(
    "documents",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("folded", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("updated_at", Integer, nullable=False),
    Column("deleted", Integer, nullable=False),
    Column("digest", Text, nullable=False),
    Column("pending", Text, nullable=False),
    UniqueConstraint("folded"),
)

DOCUMENT_BLOCKS = Table(
    "document_blocks",
    METADATA,
    Column("document", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("id", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Index("document_blocks_by_id", "document", "id"),
)
