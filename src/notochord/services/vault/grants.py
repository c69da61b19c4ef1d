"""Which project may use which connection; a connection that goes takes its grants along."""

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy import Connection as Transaction

from notochord.core.events import EventBus
from notochord.persistence.database import Database
from notochord.services.vault.api import ConnectionsChanged, Grant, GranteeKind
from notochord.services.vault.rows import not_found
from notochord.services.vault.tables import CONNECTIONS, GRANTS


class StoredGrants:
    """Implements `Grants`."""

    def __init__(self, *, database: Database, events: EventBus) -> None:
        self._database = database
        self._events = events

    async def grant(self, grant: Grant) -> None:
        def work(transaction: Transaction) -> bool:
            known = transaction.execute(select(CONNECTIONS.c.id).where(CONNECTIONS.c.id == grant.connection)).first()
            if known is not None:
                _take_back(transaction, grant)
                transaction.execute(
                    insert(GRANTS).values(connection=grant.connection, kind=grant.kind.value, subject=grant.subject)
                )
            return known is not None

        if not await self._database.write(work):
            raise not_found(grant.connection)
        self._events.publish(ConnectionsChanged())

    async def revoke(self, grant: Grant) -> None:
        await self._database.write(lambda transaction: _take_back(transaction, grant))
        self._events.publish(ConnectionsChanged())

    async def granted(self, grant: Grant) -> bool:
        account = select(CONNECTIONS.c.id).where(CONNECTIONS.c.id == grant.connection)
        found = select(GRANTS.c.connection).where(*_is(grant))

        def look(transaction: Transaction) -> bool:
            if transaction.execute(account).first() is None:
                raise not_found(grant.connection)
            return transaction.execute(found).first() is not None

        return await self._database.read(look)

    async def grants(self) -> tuple[Grant, ...]:
        def look(transaction: Transaction) -> tuple[Grant, ...]:
            rows = transaction.execute(select(GRANTS).order_by(GRANTS.c.kind, GRANTS.c.subject, GRANTS.c.connection))
            return tuple(Grant(row.connection, GranteeKind(row.kind), row.subject) for row in rows)

        return await self._database.read(look)


def _take_back(transaction: Transaction, grant: Grant) -> None:
    transaction.execute(delete(GRANTS).where(*_is(grant)))


def _is(grant: Grant) -> tuple[ColumnElement[bool], ...]:
    return (
        GRANTS.c.connection == grant.connection,
        GRANTS.c.kind == grant.kind.value,
        GRANTS.c.subject == grant.subject,
    )
