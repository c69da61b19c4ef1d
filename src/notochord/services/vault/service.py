"""The secrets of the open organization, in main.db, which is encrypted as a whole."""

import json

from sqlalchemy import Connection as Transaction
from sqlalchemy import Row, delete, insert, select, update

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import IdMaker
from notochord.core.keys import KEY_BYTES
from notochord.core.log import Redactor
from notochord.core.spellings import spellings
from notochord.persistence.database import Database
from notochord.services.vault.api import (
    Attachment,
    AttachmentDenied,
    Connection,
    ConnectionDraft,
    Placement,
    Registration,
    Secret,
)
from notochord.services.vault.rules import attached, checked_draft, checked_secret, denial
from notochord.services.vault.tables import CONNECTIONS, STORE_KEYS

_SHOWN = [column for column in CONNECTIONS.columns if column.name != "secret"]


class StoredVault:
    """Implements `Vault`. A secret that comes in or is about to be sent is hidden from the log from then on."""

    def __init__(self, *, database: Database, clock: Clock, ids: IdMaker, redactor: Redactor) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._redactor = redactor

    async def add(self, draft: ConnectionDraft, secret: Secret) -> Connection:
        draft = checked_draft(draft)
        text = checked_secret(draft.placement, secret)
        self._redactor.register(spellings(text.encode()))
        row = {
            "id": self._ids.new(),
            "name": draft.name,
            "kind": draft.kind,
            "placement": draft.placement.value,
            "field": draft.field,
            "hosts": json.dumps(draft.registration.hosts),
            "paths": json.dumps(draft.registration.paths),
            "plain_http": draft.registration.plain_http,
        }
        await self._database.write(
            lambda transaction: transaction.execute(insert(CONNECTIONS).values(**row, secret=text))
        )
        return await self._connection(row["id"])

    async def replace_secret(self, connection: str, secret: Secret) -> None:
        text = checked_secret((await self._connection(connection)).placement, secret)
        self._redactor.register(spellings(text.encode()))
        change = update(CONNECTIONS).where(CONNECTIONS.c.id == connection).values(secret=text)
        if not await self._database.write(lambda transaction: transaction.execute(change).rowcount):
            raise _not_found(connection)

    async def remove(self, connection: str) -> None:
        removal = delete(CONNECTIONS).where(CONNECTIONS.c.id == connection)
        if not await self._database.write(lambda transaction: transaction.execute(removal).rowcount):
            raise _not_found(connection)

    async def connections(self) -> tuple[Connection, ...]:
        def look(transaction: Transaction) -> list[Connection]:
            return [_connection(row) for row in transaction.execute(select(*_SHOWN))]

        return tuple(sorted(await self._database.read(look), key=lambda found: (found.name.casefold(), found.id)))

    async def attachment(self, connection: str, url: str) -> Attachment | AttachmentDenied:
        question = select(CONNECTIONS).where(CONNECTIONS.c.id == connection)
        row = await self._database.read(lambda transaction: transaction.execute(question).one_or_none())
        if row is None:
            return AttachmentDenied("unknown", "")
        found = _connection(row)
        denied = denial(found.registration, url)
        if denied is not None:
            return denied
        attachment = attached(found, row.secret)
        self._redactor.register(attachment.spellings)
        return attachment

    async def store_key(self, owner: str) -> bytes:
        fresh = self._clock.random_bytes(KEY_BYTES)

        def find_or_make(transaction: Transaction) -> bytes:
            key = transaction.execute(select(STORE_KEYS.c.key).where(STORE_KEYS.c.owner == owner)).scalar()
            if key is None:
                transaction.execute(insert(STORE_KEYS).values(owner=owner, key=fresh))
                return fresh
            return bytes(key)

        return await self._database.write(find_or_make)

    async def forget_store_key(self, owner: str) -> None:
        removal = delete(STORE_KEYS).where(STORE_KEYS.c.owner == owner)
        await self._database.write(lambda transaction: transaction.execute(removal))

    async def _connection(self, identifier: str) -> Connection:
        question = select(*_SHOWN).where(CONNECTIONS.c.id == identifier)
        row = await self._database.read(lambda transaction: transaction.execute(question).one_or_none())
        if row is None:
            raise _not_found(identifier)
        return _connection(row)


def _connection(row: Row[tuple[str, ...]]) -> Connection:
    hosts, paths = json.loads(row.hosts), json.loads(row.paths)
    registration = Registration(tuple(hosts), tuple(paths), row.plain_http)
    return Connection(row.id, row.name, row.kind, Placement(row.placement), registration, row.field)


def _not_found(connection: str) -> NotochordError:
    return NotochordError(
        Code.NOT_FOUND, Fault.USER, f"no connection {connection}", name=connection, why="why.connection_gone"
    )
