"""Accounts in memory, with the shipped templates; a sign-in ends as the test says."""

import asyncio
from dataclasses import replace

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.accounts.api import SignInPages, Template
from notochord.services.accounts.templates import bundled
from notochord.services.vault.api import (
    Connection,
    ConnectionDraft,
    ConnectionsChanged,
    Grant,
    Registration,
    Secret,
    SignIn,
)

PAGE = "https://sign-in.example/authorize?state=s"


class MemoryAccounts:
    """`secrets` are what was kept; `answer` is awaited by a sign-in and raises what it holds."""

    def __init__(self, events: EventBus | None = None) -> None:
        self.kept: dict[str, Connection] = {}
        self.secrets: dict[str, str] = {}
        self.refusal: NotochordError | None = None
        self.consent = asyncio.Event()
        self.consent.set()
        self._events = events or EventBus()

    def templates(self) -> tuple[Template, ...]:
        return bundled()

    async def all(self) -> tuple[Connection, ...]:
        return tuple(self.kept.values())

    async def get(self, account: str) -> Connection:
        if account not in self.kept:
            raise NotochordError(Code.NOT_FOUND, Fault.USER, "gone", name=account, why="why.connection_gone")
        return self.kept[account]

    async def add(self, draft: ConnectionDraft, secret: Secret | None) -> Connection:
        if draft.oauth is None and (secret is None or not secret.reveal()):
            raise NotochordError(Code.INPUT_INVALID, Fault.USER, "empty", why="why.secret_length")
        made = Connection(
            id=f"account-{len(self.kept) + 1}",
            name=draft.name,
            kind=draft.kind,
            placement=draft.placement,
            registration=draft.registration,
            field=draft.field,
            prefix=draft.prefix,
            template=draft.template,
            oauth=draft.oauth,
            sign_in=SignIn.READY if draft.oauth is None else SignIn.NEEDED,
        )
        self.secrets[made.id] = "" if secret is None else secret.reveal()
        self._put(made)
        return made

    async def change(self, account: str, name: str, registration: Registration) -> None:
        self._put(replace(await self.get(account), name=name, registration=registration))

    async def replace_secret(self, account: str, secret: Secret) -> None:
        await self.get(account)
        self.secrets[account] = secret.reveal()

    async def remove(self, account: str) -> None:
        await self.get(account)
        del self.kept[account], self.secrets[account]
        self._events.publish(ConnectionsChanged())

    def trial(self, account: Connection) -> bool:
        return any(one.id == account.template and one.trial for one in bundled())

    async def test(self, account: str) -> None:
        await self.get(account)
        if self.refusal is not None:
            raise self.refusal

    async def sign_in(self, account: str, pages: SignInPages) -> Connection:
        found = await self.get(account)
        pages.show(PAGE)
        await self.consent.wait()
        if self.refusal is not None:
            raise self.refusal
        self._put(replace(found, sign_in=SignIn.READY))
        return self.kept[account]

    async def sign_out(self, account: str) -> None:
        self._put(replace(await self.get(account), sign_in=SignIn.NEEDED))

    def _put(self, connection: Connection) -> None:
        self.kept[connection.id] = connection
        self._events.publish(ConnectionsChanged())


class MemoryGrants:
    """Grants in memory."""

    def __init__(self) -> None:
        self.given: list[Grant] = []

    async def grant(self, grant: Grant) -> None:
        self.given.append(grant)

    async def revoke(self, grant: Grant) -> None:
        self.given.remove(grant)

    async def granted(self, grant: Grant) -> bool:
        return grant in self.given

    async def grants(self) -> tuple[Grant, ...]:
        return tuple(self.given)
