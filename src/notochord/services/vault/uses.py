"""Counts how often each connection's secret was sent, and when last; written together, not once for each request."""

import logging
from dataclasses import dataclass

from sqlalchemy import Connection as Transaction
from sqlalchemy import update

from notochord.core.clock import Clock
from notochord.core.errors import NotochordError
from notochord.persistence.database import Database
from notochord.services.vault.tables import CONNECTIONS

SECONDS_BETWEEN_WRITES = 10.0

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Use:
    count: int = 0
    last: int = 0


class UseCounter:
    """A crash loses the uses of the last ten seconds; a write for each request would cost each a flush of the disk."""

    def __init__(self, *, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._waiting: dict[str, _Use] = {}
        self._written = clock.monotonic()

    async def note(self, connection: str) -> None:
        """Count one request that carries the secret."""
        use = self._waiting.setdefault(connection, _Use())
        use.count += 1
        use.last = self._clock.milliseconds()
        if self._clock.monotonic() - self._written >= SECONDS_BETWEEN_WRITES:
            await self.write()

    async def write(self) -> None:
        """Bring what was counted to the disk; where that fails it is tried again later: no request is worth a count."""
        waiting, self._waiting = self._waiting, {}
        self._written = self._clock.monotonic()
        if not waiting:
            return

        def work(transaction: Transaction) -> None:
            for connection, use in waiting.items():
                transaction.execute(
                    update(CONNECTIONS)
                    .where(CONNECTIONS.c.id == connection)
                    .values(uses=CONNECTIONS.c.uses + use.count, last_used=use.last)
                )

        try:
            await self._database.write(work)
        except NotochordError as error:
            _log.warning("the use of accounts could not be counted: %s", error.code)
            for connection, use in waiting.items():
                later = self._waiting.setdefault(connection, _Use())
                later.count += use.count
                later.last = max(later.last, use.last)
