"""The tables of the vault; `hosts` and `paths` are JSON lists, `oauth` a JSON object or empty."""

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, MetaData, Table, Text

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
    Column("prefix", Text, nullable=False),
    Column("template", Text, nullable=False),
    Column("oauth", Text, nullable=False),
    Column("client_secret", Text, nullable=False),
    Column("refresh_token", Text, nullable=False),
    Column("expires_at", Integer, nullable=False),
    Column("sign_in", Text, nullable=False),
    Column("uses", Integer, nullable=False),
    Column("last_used", Integer, nullable=False),
)
"""All secrets of a connection are in its one row: what rotates is replaced whole, what is deleted is gone whole."""

GRANTS = Table(
    "connection_grants",
    METADATA,
    Column("connection", Text, ForeignKey("connections.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
)
STORE_KEYS = Table(
    "store_keys",
    METADATA,
    Column("owner", Text, primary_key=True),
    Column("key", LargeBinary, nullable=False),
)
