"""Notices that are not lost: written in the transaction of the fact they tell of, read by consumers at their own pace.

A notice stays until every consumer is past it. Each consumer has a cursor in the same database; one that does its work
and moves its cursor in the same transaction sees every notice exactly once, any other at least once.
"""

from dataclasses import dataclass

from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, delete, func, insert, select, update

from notochord.core.strict_json import Json, decode, encode
from notochord.persistence import outbox_migrations
from notochord.persistence.database import Database
from notochord.persistence.migrations import Component

COMPONENT = Component.of("outbox", outbox_migrations)
METADATA = MetaData()
_NOTICES = Table(
    "outbox",
    METADATA,
    Column("sequence", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("payload", Text, nullable=False),
)
_CURSORS = Table(
    "outbox_cursors",
    METADATA,
    Column("consumer", Text, primary_key=True),
    Column("sequence", Integer, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that happened; `sequence` ascends in the order of the commits, with gaps."""

    sequence: int
    kind: str
    payload: Json


def append(connection: Connection, kind: str, payload: Json) -> int:
    """Add a notice to the transaction under way and return its sequence. Raises ValueError if it is no JSON."""
    new = insert(_NOTICES).values(kind=kind, payload=encode(payload)).returning(_NOTICES.c.sequence)
    return int(connection.execute(new).scalar_one())


def advance(connection: Connection, consumer: str, sequence: int) -> None:
    """Move a consumer past `sequence`, never back, and drop what all consumers are past.

    Part of the transaction under way. Raises KeyError for a consumer that was not declared.
    """
    moved = connection.execute(
        update(_CURSORS).where(_CURSORS.c.consumer == consumer).values(sequence=func.max(_CURSORS.c.sequence, sequence))
    )
    if not moved.rowcount:
        raise KeyError(consumer)
    slowest = select(func.min(_CURSORS.c.sequence)).scalar_subquery()
    connection.execute(delete(_NOTICES).where(_NOTICES.c.sequence <= slowest))


class Outbox:
    """The notices of one database, for the consumers that this program has."""

    def __init__(self, *, database: Database, consumers: tuple[str, ...]) -> None:
        self._database = database
        self._consumers = consumers

    async def start(self) -> None:
        """Declare the consumers; a new one begins with the oldest notice that is left, one no longer known goes."""

        def declare(connection: Connection) -> None:
            connection.execute(delete(_CURSORS).where(_CURSORS.c.consumer.not_in(self._consumers)))
            known = set(connection.execute(select(_CURSORS.c.consumer)).scalars())
            for name in self._consumers:
                if name not in known:
                    connection.execute(insert(_CURSORS).values(consumer=name, sequence=0))

        await self._database.write(declare)

    async def pending(self, consumer: str, *, limit: int = 100) -> tuple[Notice, ...]:
        """Return the oldest notices that `consumer` is not past. Raises KeyError for one that was not declared."""

        def look(connection: Connection) -> tuple[Notice, ...]:
            place = connection.execute(select(_CURSORS.c.sequence).where(_CURSORS.c.consumer == consumer)).scalar()
            if place is None:
                raise KeyError(consumer)
            rows = connection.execute(
                select(_NOTICES).where(_NOTICES.c.sequence > place).order_by(_NOTICES.c.sequence).limit(limit)
            )
            return tuple(Notice(row.sequence, row.kind, decode(row.payload)) for row in rows)

        return await self._database.read(look)

    async def done(self, consumer: str, sequence: int) -> None:
        """Move `consumer` past `sequence` in a transaction of its own; see `advance`."""
        await self._database.write(lambda connection: advance(connection, consumer, sequence))
