"""Keeps the logs of gems in main.db."""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from notochord.persistence.database import Database
from notochord.services.gem_logs.api import MAX_LINES, LogLine
from notochord.services.gem_logs.tables import LINES


class StoredGemLogs:
    """The logs of one organization."""

    def __init__(self, *, database: Database) -> None:
        self._database = database

    async def add(self, gem: str, lines: Sequence[LogLine]) -> None:
        rows = [{"gem": gem, "tool": line.tool, "at": line.at, "text": line.text} for line in lines[-MAX_LINES:]]
        if not rows:
            return

        def work(connection: Connection) -> None:
            connection.execute(insert(LINES), rows)
            of_gem = select(LINES.c.number).where(LINES.c.gem == gem).order_by(LINES.c.number.desc())
            oldest = connection.scalar(of_gem.offset(MAX_LINES).limit(1))
            if oldest is not None:
                connection.execute(delete(LINES).where(LINES.c.gem == gem, LINES.c.number <= oldest))

        await self._database.write(work)

    async def last(self, gem: str, count: int) -> tuple[LogLine, ...]:
        def work(connection: Connection) -> tuple[LogLine, ...]:
            found = select(LINES).where(LINES.c.gem == gem).order_by(LINES.c.number.desc()).limit(max(0, count))
            return tuple(LogLine(row.tool, row.at, row.text) for row in connection.execute(found))[::-1]

        return await self._database.read(work)

    async def forget(self, gem: str) -> None:
        await self._database.write(lambda connection: connection.execute(delete(LINES).where(LINES.c.gem == gem)))
