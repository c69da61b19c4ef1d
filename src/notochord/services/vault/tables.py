"""The tables of the vault; `hosts` and `paths` are JSON lists."""

from sqlalchemy import Column, LargeBinary, MetaData, Table, Text

METADATA = MetaData()
CONNECTIONS = Table(
    "connections",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("placement", Text, nullable=False),
    Column("field", Text, nullable=False),
    Column("hosts", Text, nullable=False),
    Column("paths", Text, nullable=False),
    Column("plain_http", Text, nullable=False),
    Column("secret", Text, nullable=False),
)
STORE_KEYS = Table(
    "store_keys",
    METADATA,
    Column("owner", Text, primary_key=True),
    Column("key", LargeBinary, nullable=False),
)
