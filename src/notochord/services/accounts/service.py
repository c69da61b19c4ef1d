"""Accounts over the vault: adds and changes them, tries them, and lets the user sign in."""

import asyncio
from collections.abc import Sequence

from notochord.core.caller import Actor, Caller
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.log import Redactor
from notochord.core.spellings import spellings
from notochord.core.strict_json import decode
from notochord.core.tasks import finish
from notochord.services.accounts import oauth
from notochord.services.accounts.api import CALLBACK_PATH, SIGN_IN_SECONDS, SignInPages, Template, Trial
from notochord.services.accounts.ports import Redirects, ReturnPages
from notochord.services.accounts.tokens import TokenEndpoint
from notochord.services.egress.api import Egress, Leave, Request, Response
from notochord.services.vault.api import (
    AccountKeeping,
    ClientSecrets,
    Connection,
    ConnectionDraft,
    Denial,
    Registration,
    Secret,
    SignIn,
    Vault,
)

TRIAL_SECONDS = 20.0
MOST_TRIAL_BYTES = 1024 * 1024


class AccountService:
    """Implements `Accounts`."""

    def __init__(
        self,
        *,
        vault: Vault,
        keeping: AccountKeeping,
        egress: Egress,
        redirects: Redirects,
        templates: Sequence[Template],
        clock: Clock,
        redactor: Redactor,
        sign_in_seconds: float = SIGN_IN_SECONDS,
    ) -> None:
        self._vault = vault
        self._keeping = keeping
        self._egress = egress
        self._endpoint = TokenEndpoint(egress=egress, clock=clock)
        self._redirects = redirects
        self._templates = tuple(templates)
        self._clock = clock
        self._redactor = redactor
        self._sign_in_seconds = sign_in_seconds

    def templates(self) -> tuple[Template, ...]:
        return self._templates

    async def all(self) -> tuple[Connection, ...]:
        return await self._vault.connections()

    async def get(self, account: str) -> Connection:
        found = next((one for one in await self._vault.connections() if one.id == account), None)
        if found is None:
            raise NotochordError(
                Code.NOT_FOUND, Fault.USER, f"no account {account}", name=account, why="why.connection_gone"
            )
        return found

    async def add(self, draft: ConnectionDraft, secret: Secret | None) -> Connection:
        if draft.oauth is not None:
            return await self._keeping.add_client(draft, secret)
        return await self._vault.add(draft, secret or Secret(""))

    async def change(self, account: str, name: str, registration: Registration) -> None:
        await self._keeping.change(account, name, registration)

    async def replace_secret(self, account: str, secret: Secret) -> None:
        if (await self.get(account)).oauth is not None:
            await self._keeping.replace_client_secret(account, secret)
        else:
            await self._vault.replace_secret(account, secret)

    async def remove(self, account: str) -> None:
        await self._vault.remove(account)

    def trial(self, account: Connection) -> bool:
        return self._trial(account) is not None

    async def test(self, account: str) -> None:
        found = await self.get(account)
        trial = self._trial(found)
        if trial is None:
            raise NotochordError(
                Code.INPUT_INVALID, Fault.USER, "nothing is known to try this account with", why="why.account_trial"
            )
        response = await self._egress.fetch(
            Request(
                method="GET",
                url=trial.url,
                leave=Leave(Caller(Actor.USER), connection=account),
                headers=trial.headers,
                max_bytes=MOST_TRIAL_BYTES,
                timeout=TRIAL_SECONDS,
                follow_redirects=False,
            )
        )
        _judge(found, trial, response)

    async def sign_in(self, account: str, pages: SignInPages) -> Connection:
        secrets = await self._keeping.client(account)
        try:
            async with asyncio.timeout(self._sign_in_seconds):
                attempt, code = await self._consent(secrets, pages)
        except TimeoutError:
            seconds = self._sign_in_seconds
            raise NotochordError(
                Code.TIMEOUT, Fault.USER, "nobody signed in in time", seconds=seconds, why="why.sign_in_late"
            ) from None
        await finish(self._exchange(account, secrets, attempt, code))
        return await self.get(account)

    async def sign_out(self, account: str) -> None:
        await self._keeping.client(account)
        await self._keeping.end_sign_in(account, SignIn.NEEDED)

    async def _consent(self, secrets: ClientSecrets, pages: SignInPages) -> tuple[oauth.Attempt, str]:
        """Send the user to the service, and wait for the browser to come back with a code."""
        state = oauth.unguessable(self._clock)
        texts = ReturnPages(yes=pages.signed_in, no=pages.refused)
        async with self._redirects.waiting(CALLBACK_PATH, lambda query: oauth.verdict(query, state), texts) as waiting:
            attempt = oauth.Attempt.begin(secrets.client, waiting.uri, self._clock, state=state)
            self._redactor.register((state, attempt.verifier))
            pages.show(attempt.page)
            query = await waiting.redirect()
        code = oauth.code_of(query, secrets.client)
        self._redactor.register(spellings(code.encode()))
        return attempt, code

    async def _exchange(self, account: str, secrets: ClientSecrets, attempt: oauth.Attempt, code: str) -> None:
        tokens = await self._endpoint.ask(secrets.client, attempt.exchange(code, secrets))
        await self._keeping.keep_tokens(account, tokens)

    def _trial(self, account: Connection) -> Trial | None:
        return next((one.trial for one in self._templates if one.id == account.template), None)


def _judge(account: Connection, trial: Trial, response: Response) -> None:
    denied = response.credential_denied
    if denied is not None and denied.reason in (Denial.NOT_CONNECTED, Denial.SIGN_IN_AGAIN):
        raise NotochordError(Code.ACCOUNT_SIGNED_OUT, Fault.USER, "nobody is signed in", name=account.name)
    status = response.status
    if denied is not None or status in (401, 403) or (200 <= status < 300 and not _flagged(trial, response.body)):
        detail = f"the service answered {status}"
        raise NotochordError(Code.ACCOUNT_REFUSED, Fault.USER, detail, name=account.name, status=status)
    if not 200 <= status < 300:
        detail = f"the service answered {status}"
        raise NotochordError(Code.ACCOUNT_UNTESTED, Fault.PROVIDER, detail, name=account.name, status=status)


def _flagged(trial: Trial, body: bytes) -> bool:
    """Tell whether the answer says yes: some services say no with the status 200."""
    if not trial.flag:
        return True
    try:
        answer = decode(body)
    except ValueError:
        return False
    return isinstance(answer, dict) and answer.get(trial.flag) is True
