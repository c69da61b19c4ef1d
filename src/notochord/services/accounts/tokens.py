"""Asks token endpoints, and renews access tokens: one request at a time for an account, kept before it is used."""

import asyncio
import logging

from notochord.core.caller import Actor, Caller
from notochord.core.clock import Clock
from notochord.core.errors import NotochordError
from notochord.core.tasks import Lifetime
from notochord.services.accounts import oauth
from notochord.services.egress.api import Egress, Leave, Request
from notochord.services.vault.api import (
    AccountKeeping,
    Attachment,
    AttachmentDenied,
    AttachmentExpired,
    Denial,
    OAuthClient,
    SignIn,
    Tokens,
    Vault,
)

SECONDS = 30.0
CLOSING_SECONDS = 10.0
HEADERS = (("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"))

_log = logging.getLogger(__name__)


class TokenEndpoint:
    """Speaks to the services' token endpoints, through the gateway and under the user's rules."""

    def __init__(self, *, egress: Egress, clock: Clock) -> None:
        self._egress = egress
        self._clock = clock

    async def ask(self, client: OAuthClient, form: bytes) -> Tokens:
        """Send a form; no redirect is followed, for it would carry the form elsewhere.

        Raises SIGN_IN_REFUSED, SIGN_IN_FAILED, and as `Egress.fetch` does.
        """
        leave = Leave(Caller(Actor.SYSTEM, "accounts"), typed_origin=client.token_url if client.typed else "")
        response = await self._egress.fetch(
            Request(
                method="POST",
                url=client.token_url,
                leave=leave,
                headers=HEADERS,
                body=form,
                max_bytes=oauth.MOST_ANSWER_BYTES,
                timeout=SECONDS,
                follow_redirects=False,
            )
        )
        return oauth.tokens_of(response.status, response.body, self._clock.milliseconds())


class NoAttachments:
    """Implements `egress.ports.Attachments` for a gateway that sends no account's secret."""

    async def attachment(self, connection: str, url: str) -> AttachmentDenied:
        """Give nothing."""
        return AttachmentDenied(Denial.NOT_CONNECTED, "")


class FreshAttachments:
    """Implements `egress.ports.Attachments`: what the vault gives, with an access token that has run out renewed.

    The order of a renewal: the service is asked with the refresh token of the disk; what it gives is on the disk,
    flushed, in the one write that replaces the old; then only is the new access token sent anywhere. A crash between
    the first two leaves the old refresh token (which a service that has used it up refuses: the user signs in again),
    one after them the new; there is never none. A renewal that has begun is finished whoever stops waiting for it.
    """

    def __init__(self, *, vault: Vault, keeping: AccountKeeping, endpoint: TokenEndpoint) -> None:
        self._vault = vault
        self._keeping = keeping
        self._endpoint = endpoint
        self._lifetime = Lifetime("accounts/renewal")
        self._running: dict[str, asyncio.Task[None]] = {}

    async def attachment(self, connection: str, url: str) -> Attachment | AttachmentDenied:
        """See `egress.ports.Attachments`."""
        answer = await self._vault.attachment(connection, url)
        if not isinstance(answer, AttachmentExpired):
            return answer
        await self._renewed(connection, url)
        answer = await self._vault.attachment(connection, url)
        if isinstance(answer, AttachmentExpired):  # it runs out as soon as it is given
            return AttachmentDenied(Denial.SIGN_IN_AGAIN, answer.host)
        return answer

    async def close(self) -> None:
        """Give the renewals under way some time to end by themselves: what a service gives must not be lost."""
        if self._running:
            await asyncio.wait(self._running.values(), timeout=CLOSING_SECONDS)
        await self._lifetime.close()

    async def _renewed(self, connection: str, url: str) -> None:
        running = self._running.get(connection)
        if running is None:
            running = self._lifetime.start(connection, self._renew(connection, url))
            self._running[connection] = running
            running.add_done_callback(lambda _: self._running.pop(connection, None))
        await asyncio.shield(running)

    async def _renew(self, connection: str, url: str) -> None:
        # Who read the old token may come here when another's renewal has just ended.
        if not isinstance(await self._vault.attachment(connection, url), AttachmentExpired):
            return
        secrets = await self._keeping.client(connection)
        if secrets.refresh is None:
            await self._keeping.end_sign_in(connection, SignIn.AGAIN)
            return
        try:
            tokens = await self._endpoint.ask(secrets.client, oauth.renewal(secrets, secrets.refresh))
        except NotochordError as error:
            if not oauth.is_final(error):
                raise
            _log.info("a service refused to renew the sign-in of an account")
            await self._keeping.end_sign_in(connection, SignIn.AGAIN, instead_of=secrets.refresh)
        else:
            await self._keeping.keep_tokens(connection, tokens, instead_of=secrets.refresh)
