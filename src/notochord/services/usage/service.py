"""Counts model calls in main.db."""

from sqlalchemy import Connection, func, insert, select

from notochord.core.clock import Clock
from notochord.core.ids import IdMaker
from notochord.persistence.database import Database
from notochord.services.usage.api import Use, UseTotal
from notochord.services.usage.tables import MODEL_USE


class StoredUsage:
    """Implements `Usage`."""

    def __init__(self, *, database: Database, clock: Clock, ids: IdMaker) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids

    async def record(self, use: Use) -> None:
        moment = self._clock.now()
        row = insert(MODEL_USE).values(
            id=self._ids.new(),
            at=self._clock.milliseconds(),
            day=moment.astimezone(self._clock.zone()).date().isoformat(),
            feature=use.feature,
            provider=use.provider,
            model=use.model,
            run=use.run,
            input_tokens=use.input_tokens,
            output_tokens=use.output_tokens,
        )
        await self._database.write(lambda connection: connection.execute(row))

    async def totals(self, *, since_day: str = "") -> tuple[UseTotal, ...]:
        use = MODEL_USE.c
        group = (use.day, use.feature, use.provider, use.model)
        question = (
            select(*group, func.count(), func.sum(use.input_tokens), func.sum(use.output_tokens))
            .where(use.day >= since_day)
            .group_by(*group)
            .order_by(*group)
        )

        def look(connection: Connection) -> tuple[UseTotal, ...]:
            return tuple(UseTotal(*row) for row in connection.execute(question))

        return await self._database.read(look)
