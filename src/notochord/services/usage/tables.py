"""The table of model calls: one row a call; `at` in milliseconds, `day` in the user's zone at that time."""

from sqlalchemy import BigInteger, Column, Index, MetaData, Table, Text

METADATA = MetaData()
MODEL_USE = Table(
    "model_use",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("day", Text, nullable=False),
    Column("feature", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Index("model_use_by_day", "day"),
)
