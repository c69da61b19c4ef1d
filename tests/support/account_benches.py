"""Accounts on a real vault, gateway and network stack, for a strict server on the loopback interface."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from notochord.adapters.http.resolver import SystemResolver
from notochord.adapters.http.sender import HttpSender
from notochord.adapters.sign_in.loopback import LoopbackRedirects
from notochord.core.caller import Actor, Caller
from notochord.core.clock import Clock, SystemClock
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.log import Redactor
from notochord.services.accounts.api import KIND, SignInPages
from notochord.services.accounts.ports import Redirects
from notochord.services.accounts.service import AccountService
from notochord.services.accounts.templates import bundled
from notochord.services.accounts.tokens import FreshAttachments, NoAttachments, TokenEndpoint
from notochord.services.egress.api import HostGrant, Leave, Request, Response
from notochord.services.egress.service import EgressService
from notochord.services.vault.accounts import StoredAccounts
from notochord.services.vault.api import Connection, ConnectionDraft, OAuthClient, Placement, Registration, Secret
from notochord.services.vault.component import COMPONENT
from notochord.services.vault.service import StoredVault
from support.databases import database_in
from support.egress import MemorySettings, rules
from support.oauth_servers import CLIENT, CLIENT_SECRET, SCOPES, Browser, OAuthServer

GEM = Caller(Actor.GEM, "calendar")


@dataclass
class AccountBench:
    """Everything that a sign-in goes through."""

    vault: StoredVault
    keeping: StoredAccounts
    accounts: AccountService
    egress: EgressService
    fresh: FreshAttachments
    redactor: Redactor
    events: EventBus

    async def add(self, server: OAuthServer, **changes: str) -> Connection:
        """Add an account of the server, with its API registered."""
        origin = server.url
        client = OAuthClient(
            authorize_url=changes.get("authorize_url", f"{origin}/authorize"),
            token_url=changes.get("token_url", f"{origin}/token"),
            client_id=CLIENT,
            scopes=SCOPES,
            issuer=changes.get("issuer", ""),
            typed=True,
        )
        registration = Registration((), ("/api",), plain_http=origin)
        draft = ConnectionDraft("Calendar", KIND, Placement.BEARER, registration, oauth=client)
        return await self.accounts.add(draft, Secret(CLIENT_SECRET) if server.needs_secret else None)

    async def signed_in(self, server: OAuthServer) -> Connection:
        """Add an account and sign in."""
        made = await self.add(server)
        browser = Browser()
        found = await asyncio.wait_for(self.accounts.sign_in(made.id, pages(browser)), 60)
        await browser.done()
        return found

    async def fetch(self, account: Connection, url: str) -> Response:
        """Send a request as a gem that was given the account."""
        grant = HostGrant((), local=True)
        return await self.egress.fetch(Request("GET", url, Leave(GEM, grant=grant, connection=account.id)))


def pages(browser: Browser) -> SignInPages:
    """Return what a front end gives to a sign-in."""
    return SignInPages(browser, "You are signed in.", "You are not signed in.")


@asynccontextmanager
async def account_bench(
    folder: Path,
    server: OAuthServer | None = None,
    *,
    clock: Clock | None = None,
    seconds: float = 60.0,
    redirects: Redirects | None = None,
) -> AsyncIterator[AccountBench]:
    """Open accounts on a database in `folder`; the user's rules list the server."""
    clock, redactor, events = clock or SystemClock(), Redactor(), EventBus()
    async with database_in(folder, COMPONENT) as database:
        ids = IdMaker(clock)
        vault = StoredVault(database=database, clock=clock, ids=ids, redactor=redactor, events=events)
        keeping = StoredAccounts(database=database, ids=ids, redactor=redactor, events=events)
        settings, resolver = MemorySettings(), SystemResolver()
        sender = HttpSender(resolver=resolver)
        plain = EgressService(
            settings=settings, vault=NoAttachments(), resolver=resolver, sender=sender, environment={}
        )
        fresh = FreshAttachments(vault=vault, keeping=keeping, endpoint=TokenEndpoint(egress=plain, clock=clock))
        egress = EgressService(settings=settings, vault=fresh, resolver=resolver, sender=sender, environment={})
        if server is not None:
            await egress.change_rules(rules(local=[f"127.0.0.1:{server.http.port}"]))
        accounts = AccountService(
            vault=vault,
            keeping=keeping,
            egress=egress,
            redirects=redirects or LoopbackRedirects(),
            templates=bundled(),
            clock=clock,
            redactor=redactor,
            sign_in_seconds=seconds,
        )
        try:
            yield AccountBench(vault, keeping, accounts, egress, fresh, redactor, events)
        finally:
            await egress.close()
            await fresh.close()
            await plain.close()
            await vault.close()
