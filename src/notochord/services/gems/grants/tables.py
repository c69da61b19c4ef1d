"""The table of what gems are allowed, in main.db."""

from sqlalchemy import Column, MetaData, Table, Text

METADATA = MetaData()

GRANTS = Table(
    "gem_grants",
    METADATA,
    Column("gem", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("item", Text, primary_key=True),
)
"""`kind` is one of `store.Kind`; `subject` a permission, a mailbox or the path of a folder; `item` a collection that a
permission reaches."""
