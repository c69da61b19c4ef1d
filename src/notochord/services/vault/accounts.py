"""Accounts that are signed in to: their tokens, always in one row, so that what rotates is replaced whole or not."""

from sqlalchemy import Connection as Transaction
from sqlalchemy import insert, select, update

from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.log import Redactor
from notochord.core.spellings import spellings
from notochord.persistence.database import Database
from notochord.services.vault.api import (
    ClientSecrets,
    Connection,
    ConnectionDraft,
    ConnectionsChanged,
    Placement,
    Registration,
    Secret,
    SignIn,
    Tokens,
)
from notochord.services.vault.rows import connection_of, not_found, places_of, shown, values_of
from notochord.services.vault.rules import checked_draft, checked_name, checked_registration, checked_secret
from notochord.services.vault.tables import CONNECTIONS


class StoredAccounts:
    """Implements `AccountKeeping`."""

    def __init__(self, *, database: Database, ids: IdMaker, redactor: Redactor, events: EventBus) -> None:
        self._database = database
        self._ids = ids
        self._redactor = redactor
        self._events = events

    async def add_client(self, draft: ConnectionDraft, client_secret: Secret | None) -> Connection:
        draft = checked_draft(draft)
        kept = "" if client_secret is None else self._taken_in(client_secret)
        identifier = self._ids.new()
        values = values_of(draft) | {"client_secret": kept, "sign_in": SignIn.NEEDED.value}
        await self._database.write(
            lambda transaction: transaction.execute(insert(CONNECTIONS).values(id=identifier, **values))
        )
        self._events.publish(ConnectionsChanged())
        return await shown(self._database, identifier)

    async def change(self, connection: str, name: str, registration: Registration) -> None:
        values = {"name": checked_name(name), **places_of(checked_registration(registration))}
        await self._update(connection, values)

    async def client(self, connection: str) -> ClientSecrets:
        question = select(CONNECTIONS).where(CONNECTIONS.c.id == connection, CONNECTIONS.c.oauth != "")
        row = await self._database.read(lambda transaction: transaction.execute(question).one_or_none())
        client = None if row is None else connection_of(row).oauth
        if row is None or client is None:
            raise not_found(connection)
        for text in (row.client_secret, row.refresh_token):
            self._redactor.register(spellings(text.encode()))
        return ClientSecrets(client, _secret(row.client_secret), _secret(row.refresh_token))

    async def replace_client_secret(self, connection: str, secret: Secret) -> None:
        await self._update(connection, {"client_secret": self._taken_in(secret)})

    async def keep_tokens(self, connection: str, tokens: Tokens, *, instead_of: Secret | None = None) -> bool:
        values: dict[str, str | int] = {
            "secret": self._taken_in(tokens.access),
            "expires_at": tokens.expires_at,
            "sign_in": SignIn.READY.value,
        }
        if tokens.refresh is not None:
            values["refresh_token"] = self._taken_in(tokens.refresh)
        elif instead_of is None:
            values["refresh_token"] = ""
        return await self._update(connection, values, instead_of)

    async def end_sign_in(self, connection: str, state: SignIn, *, instead_of: Secret | None = None) -> bool:
        forgotten: dict[str, str | int] = {"secret": "", "refresh_token": "", "expires_at": 0, "sign_in": state.value}
        return await self._update(connection, forgotten, instead_of)

    async def _update(
        self, connection: str, values: dict[str, str] | dict[str, str | int], instead_of: Secret | None = None
    ) -> bool:
        change = update(CONNECTIONS).where(CONNECTIONS.c.id == connection).values(values)
        if instead_of is not None:
            change = change.where(CONNECTIONS.c.refresh_token == instead_of.reveal())

        def work(transaction: Transaction) -> tuple[bool, bool]:
            changed = transaction.execute(change).rowcount == 1
            known = select(CONNECTIONS.c.id).where(CONNECTIONS.c.id == connection)
            return changed, changed or transaction.execute(known).first() is not None

        changed, known = await self._database.write(work)
        if not known:
            raise not_found(connection)
        if changed:
            self._events.publish(ConnectionsChanged())
        return changed

    def _taken_in(self, secret: Secret) -> str:
        text = checked_secret(Placement.BEARER, secret)
        self._redactor.register(spellings(text.encode()))
        return text


def _secret(text: str) -> Secret | None:
    return Secret(text) if text else None
