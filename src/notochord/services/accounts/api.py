"""The door to accounts: templates of known services, adding, changing and trying them, and signing in with OAuth 2."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from notochord.services.vault.api import Connection, ConnectionDraft, OAuthClient, Placement, Registration, Secret

KIND = "service"
"""`Connection.kind` of what is added here; the key of a model provider has another."""

CALLBACK_PATH = "/callback"
"""Where the browser comes back to on 127.0.0.1; a user's own client is registered with it, with any port."""

SIGN_IN_SECONDS = 600.0
"""How long a sign-in waits for the user."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A harmless GET that tells whether the secret is taken; with `flag` the answer's JSON must have it as true."""

    url: str
    headers: tuple[tuple[str, str], ...] = ()
    flag: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """What is known of a service: how its secret is sent, where to, and where it is made (`help_url`).

    `oauth` has an empty `client_id`: each user registers a client of their own, with a secret if
    `has_client_secret`. `has_user` tells that BASIC needs a user name, which then is the connection's `field`.
    """

    id: str
    name: str
    placement: Placement
    registration: Registration
    field: str = ""
    prefix: str = ""
    has_user: bool = False
    oauth: OAuthClient | None = None
    has_client_secret: bool = False
    help_url: str = ""
    trial: Trial | None = None

    def draft(
        self, name: str = "", *, user: str = "", client_id: str = "", scopes: tuple[str, ...] = ()
    ) -> ConnectionDraft:
        """Return what a connection of this service is made from."""
        oauth = None
        if self.oauth is not None:
            oauth = replace(self.oauth, client_id=client_id, scopes=scopes or self.oauth.scopes)
        return ConnectionDraft(
            name=name or self.name,
            kind=KIND,
            placement=self.placement,
            registration=self.registration,
            field=user if self.has_user else self.field,
            prefix=self.prefix,
            template=self.id,
            oauth=oauth,
        )


@dataclass(frozen=True, slots=True)
class SignInPages:
    """What a sign-in needs of a front end: a way to show an address in the system's browser, and what is read there.

    `signed_in` and `refused` are plain texts of the page on which the browser ends.
    """

    show: Callable[[str], None]
    signed_in: str
    refused: str


class Accounts(Protocol):
    """The accounts of the open organization."""

    def templates(self) -> tuple[Template, ...]:
        """Return the known services, by name."""

    async def all(self) -> tuple[Connection, ...]:
        """Return every account, those of model providers too, by name."""

    async def get(self, account: str) -> Connection:
        """Raises NOT_FOUND."""

    async def add(self, draft: ConnectionDraft, secret: Secret | None) -> Connection:
        """Keep an account; with `draft.oauth` the secret is the client's (None: it has none). Raises INPUT_INVALID."""

    async def change(self, account: str, name: str, registration: Registration) -> None:
        """Rename an account and change where its secret may go. Raises NOT_FOUND, INPUT_INVALID."""

    async def replace_secret(self, account: str, secret: Secret) -> None:
        """Give an account another key, or its client another secret. Raises NOT_FOUND, INPUT_INVALID."""

    async def remove(self, account: str) -> None:
        """Delete an account, what is secret in it, and every grant of it (CRED-020). Raises NOT_FOUND."""

    def trial(self, account: Connection) -> bool:
        """Tell whether an account can be tried."""

    async def test(self, account: str) -> None:
        """Try the account against its service.

        Raises NotochordError: NOT_FOUND, INPUT_INVALID (nothing to try), ACCOUNT_REFUSED, ACCOUNT_UNTESTED (the answer
        is neither yes nor no), ACCOUNT_SIGNED_OUT, and as `Egress.fetch` does.
        """

    async def sign_in(self, account: str, pages: SignInPages) -> Connection:
        """Let the user sign in with the browser, and keep what the service gives. Cancelling stops it, and listens
        no more; what was there before stays until the new tokens are kept.

        Raises NotochordError: NOT_FOUND, SIGN_IN_REFUSED (the user or the service said no), SIGN_IN_FAILED (the
        service's answer is none), TIMEOUT after `SIGN_IN_SECONDS`, NETWORK_*.
        """

    async def sign_out(self, account: str) -> None:
        """Forget the tokens; the account stays. Raises NOT_FOUND."""
