"""The table of settings."""

from sqlalchemy import Column, MetaData, Table, Text

METADATA = MetaData()
SETTINGS = Table(
    "settings",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
