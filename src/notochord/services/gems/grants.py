"""What users allow gems beyond what the installation opens: mailboxes and parts of the knowledge base."""

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from notochord.persistence.database import Database
from notochord.services.gems.api import GrantKind
from notochord.services.gems.asked import Asked
from notochord.services.gems.tables import GRANTS

Granted = Mapping[GrantKind, frozenset[str]]


class Grants:
    """Reads and writes the grants; who asks is checked by the caller. Each call reads them anew (PERM-173)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, gem: str) -> Granted:
        """Return what a gem was allowed, by kind."""
        statement = select(GRANTS.c.kind, GRANTS.c.target).where(GRANTS.c.gem == gem)

        def work(connection: Connection) -> list[tuple[str, str]]:
            return [(row.kind, row.target) for row in connection.execute(statement)]

        rows = await self._database.read(work)
        return {kind: frozenset(target for one, target in rows if one == kind) for kind in GrantKind}

    async def set(self, gem: str, kind: GrantKind, target: str, *, allowed: bool) -> None:
        """Store one grant, or take it back; durable on return."""
        values = {"gem": gem, "kind": kind.value, "target": target}

        def work(connection: Connection) -> None:
            if allowed:
                connection.execute(insert(GRANTS).values(values).on_conflict_do_nothing())
            else:
                connection.execute(delete(GRANTS).filter_by(**values))

        await self._database.write(work)


def keep_asked(connection: Connection, gem: str, asked: Asked) -> None:
    """Take back what the installed version asks for no more: asked for again later, it is off (PERM-015)."""
    _drop_but(connection, gem, GrantKind.KNOWLEDGE, asked.knowledge)
    if not asked.reads_mail:
        _drop_but(connection, gem, GrantKind.MAILBOX, ())


def forget(connection: Connection, gem: str) -> None:
    """Take everything back from a gem that is removed."""
    connection.execute(delete(GRANTS).where(GRANTS.c.gem == gem))


def _drop_but(connection: Connection, gem: str, kind: GrantKind, kept: Collection[str]) -> None:
    connection.execute(
        delete(GRANTS).where(GRANTS.c.gem == gem, GRANTS.c.kind == kind.value, GRANTS.c.target.not_in(kept))
    )
