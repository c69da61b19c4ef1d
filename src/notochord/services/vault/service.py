"""The secrets of the open organization, in main.db, which is encrypted as a whole."""

from sqlalchemy import Connection as Transaction
from sqlalchemy import delete, insert, select, update

from notochord.core.clock import Clock
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.keys import KEY_BYTES
from notochord.core.log import Redactor
from notochord.core.spellings import spellings
from notochord.persistence.database import Database
from notochord.services.vault.api import (
    Attachment,
    AttachmentDenied,
    AttachmentExpired,
    Connection,
    ConnectionDraft,
    ConnectionsChanged,
    Denial,
    Secret,
    SignIn,
)
from notochord.services.vault.rows import SHOWN, connection_of, not_found, shown, values_of
from notochord.services.vault.rules import attached, checked_draft, checked_secret, denial, host_of
from notochord.services.vault.tables import CONNECTIONS, STORE_KEYS
from notochord.services.vault.uses import UseCounter


class StoredVault:
    """Implements `Vault`. A secret that comes in or is about to be sent is hidden from the log from then on."""

    def __init__(self, *, database: Database, clock: Clock, ids: IdMaker, redactor: Redactor, events: EventBus) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._redactor = redactor
        self._events = events
        self._uses = UseCounter(database=database, clock=clock)

    async def add(self, draft: ConnectionDraft, secret: Secret) -> Connection:
        draft = checked_draft(draft)
        text = checked_secret(draft.placement, secret)
        self._redactor.register(spellings(text.encode()))
        identifier = self._ids.new()
        values = values_of(draft) | {"secret": text}
        await self._database.write(
            lambda transaction: transaction.execute(insert(CONNECTIONS).values(id=identifier, **values))
        )
        self._events.publish(ConnectionsChanged())
        return await shown(self._database, identifier)

    async def replace_secret(self, connection: str, secret: Secret) -> None:
        text = checked_secret((await shown(self._database, connection)).placement, secret)
        self._redactor.register(spellings(text.encode()))
        change = update(CONNECTIONS).where(CONNECTIONS.c.id == connection).values(secret=text)
        if not await self._database.write(lambda transaction: transaction.execute(change).rowcount):
            raise not_found(connection)
        self._events.publish(ConnectionsChanged())

    async def remove(self, connection: str) -> None:
        removal = delete(CONNECTIONS).where(CONNECTIONS.c.id == connection)
        if not await self._database.write(lambda transaction: transaction.execute(removal).rowcount):
            raise not_found(connection)
        self._events.publish(ConnectionsChanged())

    async def connections(self) -> tuple[Connection, ...]:
        await self._uses.write()

        def look(transaction: Transaction) -> list[Connection]:
            return [connection_of(row) for row in transaction.execute(select(*SHOWN))]

        return tuple(sorted(await self._database.read(look), key=lambda found: (found.name.casefold(), found.id)))

    async def attachment(self, connection: str, url: str) -> Attachment | AttachmentDenied | AttachmentExpired:
        question = select(CONNECTIONS).where(CONNECTIONS.c.id == connection)
        row = await self._database.read(lambda transaction: transaction.execute(question).one_or_none())
        if row is None:
            return AttachmentDenied(Denial.NOT_CONNECTED, host_of(url))
        found = connection_of(row)
        denied = denial(found.registration, url)
        if denied is not None:
            return denied
        if found.sign_in is not SignIn.READY:
            again = found.sign_in is SignIn.AGAIN
            return AttachmentDenied(Denial.SIGN_IN_AGAIN if again else Denial.NOT_CONNECTED, host_of(url))
        if row.expires_at and self._clock.milliseconds() >= row.expires_at:
            return AttachmentExpired(host_of(url))
        attachment = attached(found, row.secret)
        self._redactor.register(attachment.spellings)
        await self._uses.note(connection)
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

    async def close(self) -> None:
        """Write down what was counted last."""
        await self._uses.write()
