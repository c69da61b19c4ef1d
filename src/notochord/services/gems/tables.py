"""The gems' tables in main.db."""

from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, Text

METADATA = MetaData()

GEMS = Table(
    "gems",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("version", Text, nullable=False),
    Column("folder", Text, nullable=False),
    Column("trust", Text, nullable=False),
    Column("manifest", Text, nullable=False),
    Column("files", Text, nullable=False),
    Column("installed_at", Integer, nullable=False),
)

UNFINISHED = Table(
    "gems_unfinished",
    METADATA,
    Column("id", Text, primary_key=True),
)
"""Gems that are not installed (any more, or yet), of whose data something may be left; it has to go."""

CONNECTIONS = Table(
    "gem_connections",
    METADATA,
    Column("gem", Text, primary_key=True),
    Column("slot", Text, primary_key=True),
    Column("connection", Text, nullable=False),
)

DEVELOPERS = Table(
    "gem_developers",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("publisher", Text, primary_key=True),
    Column("prefix", Text, primary_key=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("added_at", Integer, nullable=False),
)
"""A key speaks for the gems of one publisher whose ids begin with `prefix`, "" for all of them."""

FAILURES = Table(
    "gem_failures",
    METADATA,
    Column("gem", Text, primary_key=True),
    Column("place", Text, primary_key=True),
    Column("code", Text, primary_key=True),
    Column("times", Integer, nullable=False),
    Column("last_at", Integer, nullable=False),
)

SOP_CALLS = Table(
    "gem_sop_calls",
    METADATA,
    Column("gem", Text, primary_key=True),
    Column("sop", Text, primary_key=True),
    Column("target", Text, primary_key=True),
)
