"""The tables for providers, models and roles."""

from sqlalchemy import Column, ForeignKey, Integer, MetaData, Table, Text

METADATA = MetaData()

PROVIDERS = Table(
    "model_providers",
    METADATA,
    Column("name", Text(collation="NOCASE"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("base_url", Text, nullable=False),
    Column("connection", Text, nullable=False),
    Column("position", Integer, nullable=False),
)

MODELS = Table(
    "provider_models",
    METADATA,
    Column(
        "provider",
        Text(collation="NOCASE"),
        ForeignKey("model_providers.name", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("model", Text, primary_key=True),
    Column("position", Integer, nullable=False),
)

ROLES = Table(
    "model_roles",
    METADATA,
    Column("name", Text(collation="NOCASE"), primary_key=True),
    Column("description", Text, nullable=False),
    Column("provider", Text),
    Column("model", Text),
    Column("position", Integer, nullable=False),
)
