"""Keeps what has come of a reply while it streams, so that a program that is killed loses a second of it at most."""

import asyncio
import logging

from sqlalchemy import Connection, bindparam, delete, insert, select

from notochord.core.clock import Clock
from notochord.core.errors import NotochordError
from notochord.core.tasks import Lifetime, finish
from notochord.persistence.database import Database
from notochord.persistence.statements import Prepared, Value
from notochord.services.chat.tables import ARRIVING
from notochord.services.models.api import Part, Reasoning, Text

KEPT_EVERY = 1.0
"""Seconds between two writes of what came meanwhile: the disk is flushed no more often than that."""

_ADD = Prepared(insert(ARRIVING))
_FORGET = Prepared(delete(ARRIVING).where(ARRIVING.c.chat == bindparam("of_chat")))

_log = logging.getLogger(__name__)


class ArrivingText:
    """The reply under way of one conversation. Each write adds a piece; the reply's own record takes their place."""

    def __init__(self, *, database: Database, clock: Clock, chat: str) -> None:
        self._database = database
        self._clock = clock
        self._chat = chat
        self._lifetime = Lifetime(f"arriving in {chat}")
        self._keeping: asyncio.Task[None] | None = None
        self._said: list[str] = []
        self._thought: list[str] = []
        self._kept = 0

    def add(self, said: str, thought: str) -> None:
        """Take in what came; it is on the disk a second later."""
        self._said.append(said)
        self._thought.append(thought)
        if self._keeping is None:
            self._keeping = self._lifetime.start("keep", self._keep())

    async def settle(self) -> bool:
        """Write no more of this reply; tell whether something of it is on the disk, which `forget` deletes."""
        keeping, self._keeping = self._keeping, None
        if keeping is not None:
            keeping.cancel()
            await asyncio.wait((keeping,))
        self._said.clear()
        self._thought.clear()
        kept, self._kept = self._kept, 0
        return kept > 0

    async def close(self) -> None:
        await self._lifetime.close()

    async def _keep(self) -> None:
        """Write each second what came in it. Where the disk refuses, the answer goes on without."""
        try:
            while self._said:
                await self._clock.sleep(KEPT_EVERY)
                await finish(self._write())
        except NotochordError:
            _log.warning("what arrives is not kept meanwhile; the whole reply is recorded at its end", exc_info=True)
        else:
            self._keeping = None

    async def _write(self) -> None:
        row: dict[str, Value] = {
            "chat": self._chat,
            "position": self._kept,
            "said": "".join(self._said),
            "thought": "".join(self._thought),
        }
        self._said.clear()
        self._thought.clear()
        self._kept += 1
        await self._database.write(lambda connection: _ADD.run(connection, row))


def parts_kept(connection: Connection, chat: str) -> tuple[Part, ...]:
    """Return what was kept of a reply that has no record."""
    rows = connection.execute(select(ARRIVING).where(ARRIVING.c.chat == chat).order_by(ARRIVING.c.position)).all()
    return parts_of("".join(row.said for row in rows), "".join(row.thought for row in rows))


def parts_of(said: str, thought: str) -> tuple[Part, ...]:
    """Return the parts of a reply that was not said to its end."""
    parts: list[Part] = [Reasoning(thought)] if thought else []
    parts += [Text(said)] if said.strip() else []
    return tuple(parts)


def forget(connection: Connection, chat: str) -> None:
    """Delete what was kept: the reply is recorded."""
    _FORGET.run(connection, {"of_chat": chat})
