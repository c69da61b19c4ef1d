"""Counts how often the code of a gem failed: where, in which way and how many times, never with what (GEMUI-048)."""

import logging

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.persistence.database import Database
from notochord.services.egress.api import HOST_NOT_GRANTED
from notochord.services.gems.api import GemChanged, GemFailure
from notochord.services.gems.tables import FAILURES, GEMS

_log = logging.getLogger(__name__)


class Failures:
    """The counts of the installed versions."""

    def __init__(self, *, database: Database, clock: Clock, bus: EventBus) -> None:
        self._database = database
        self._clock = clock
        self._bus = bus

    async def count(self, gem: str, folder: str, place: str, error: BaseException) -> None:
        """Count a failure if it was the gem's own; `folder` names the installation that ran.

        What cannot be counted is logged: the call has failed already, and its own error is what its caller needs.
        """
        if not isinstance(error, NotochordError) or not _is_own(error):
            return
        # Of a gem that was upgraded, removed or is only tried out nothing is counted.
        installed = select(GEMS.c.id).where(GEMS.c.id == gem, GEMS.c.folder == folder)
        values = {"gem": gem, "place": place, "code": error.code.value, "times": 1, "last_at": self._now()}
        counted = insert(FAILURES).values(values)
        again = {"times": FAILURES.c.times + 1, "last_at": counted.excluded.last_at}

        def work(connection: Connection) -> bool:
            if connection.execute(installed).first() is None:
                return False
            connection.execute(counted.on_conflict_do_update(index_elements=["gem", "place", "code"], set_=again))
            return True

        try:
            done = await self._database.write(work)
        except NotochordError:
            _log.exception("a failure of %s could not be counted", gem)
            return
        if done:
            self._bus.publish(GemChanged(gem))

    async def of(self, gem: str) -> tuple[GemFailure, ...]:
        """Return the counts of a gem, most first."""
        statement = select(FAILURES).where(FAILURES.c.gem == gem)

        def work(connection: Connection) -> list[GemFailure]:
            return [GemFailure(row.place, row.code, row.times, row.last_at) for row in connection.execute(statement)]

        found = await self._database.read(work)
        return tuple(sorted(found, key=lambda one: (-one.count, one.place, one.code)))

    def _now(self) -> int:
        return self._clock.milliseconds()


def forget(connection: Connection, gem: str) -> None:
    """Begin at nothing: another version is another code."""
    connection.execute(delete(FAILURES).where(FAILURES.c.gem == gem))


def _is_own(error: NotochordError) -> bool:
    """Tell whether a call failed by the code that it ran, not by whoever stopped it or the same process beside it.

    What the user has not allowed is no failure of the code; a host that its manifest does not name is one.
    """
    stopped = error.code is Code.CANCELLED or error.parameters.get("how") == "stopped"
    unnamed = error.parameters.get("why") == HOST_NOT_GRANTED
    return (error.fault is Fault.GUEST and not stopped) or unnamed
