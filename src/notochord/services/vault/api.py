"""The door to secrets: callers hold a connection's id, never the secret behind it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Secret:
    """A secret on its way in. It shows itself in no text; only the vault and what sends it call `reveal`."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "Secret(…)"


class SignIn(StrEnum):
    """How a connection that is made by signing in stands; one with a key of the user's is always READY."""

    READY = "ready"
    NEEDED = "needed"
    """Nobody has signed in yet, or the user signed out."""
    AGAIN = "again"
    """The service no longer takes what it gave; the user has to sign in again."""


class Denial(StrEnum):
    """Why a secret was not added, as gems are told (TOOL-033)."""

    HOST = "host_not_granted"
    PATH = "path_not_granted"
    SCHEME = "not_https"
    NOT_CONNECTED = "not_connected"
    """There is no such connection (any more), or nobody has signed in."""
    SIGN_IN_AGAIN = "needs_reauth"
    NOT_DECLARED = "not_declared"
    """The gem's manifest names no such connection; nobody but the gems' host says so."""


class Placement(StrEnum):
    """Where in a request the secret is put."""

    BEARER = "bearer"
    HEADER = "header"
    QUERY = "query"
    BASIC = "basic"


@dataclass(frozen=True, slots=True)
class Registration:
    """Where a secret may be sent: exact host (with port unless the default), path prefixes (empty: all), https only.

    `plain_http` names the one local http origin (`http://localhost:8080`) that the user typed and was warned about.
    """

    hosts: tuple[str, ...]
    paths: tuple[str, ...] = ()
    plain_http: str = ""


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """Where a user signs in (OAuth 2, authorization code with PKCE) and as which client; nothing of it is secret.

    `parameters` are added to the authorization request. With an `issuer`, an answer that names another is refused
    (RFC 9207). `typed` marks addresses that the user typed: they may be on the user's own network.
    """

    authorize_url: str
    token_url: str
    client_id: str
    scopes: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    issuer: str = ""
    typed: bool = False


@dataclass(frozen=True, slots=True)
class ConnectionDraft:
    """What a new connection is made from; `field` names the header or query parameter, or the user of BASIC.

    `prefix` stands before the secret in a HEADER (`Token `). `template` is the id of the template it was made by.
    """

    name: str
    kind: str
    placement: Placement
    registration: Registration
    field: str = ""
    prefix: str = ""
    template: str = ""
    oauth: OAuthClient | None = None


@dataclass(frozen=True, slots=True)
class Connection:
    """An account: a secret kept by the vault, and where it may go.

    `uses` counts the requests that carried the secret, `last_used` tells the latest in milliseconds since 1970,
    0 for none.
    """

    id: str
    name: str
    kind: str
    placement: Placement
    registration: Registration
    field: str
    prefix: str = ""
    template: str = ""
    oauth: OAuthClient | None = None
    sign_in: SignIn = SignIn.READY
    uses: int = 0
    last_used: int = 0


@dataclass(frozen=True, slots=True)
class ConnectionsChanged:
    """An account was added, changed, removed, signed in or out, or its use was given or taken back."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a service gave at a sign-in.

    From `expires_at` on (in milliseconds since 1970) the access token is not sent any more; 0 for no end.
    """

    access: Secret
    refresh: Secret | None = None
    expires_at: int = 0


@dataclass(frozen=True, slots=True)
class ClientSecrets:
    """What a token request needs; for `services.accounts` only."""

    client: OAuthClient
    client_secret: Secret | None
    refresh: Secret | None


class GranteeKind(StrEnum):
    """To whom the vault itself notes that an account may be used. What a gem may use is chosen on the gem's page."""

    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Grant:
    """A project (by its id) may use a connection."""

    connection: str
    kind: GranteeKind
    subject: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """What to add to one request at the moment of sending; for `services.egress` only."""

    headers: tuple[tuple[str, str], ...]
    query: tuple[tuple[str, str], ...]
    spellings: tuple[str, ...]
    """Every form in which the secret could come back: plain, percent-encoded, base64 …; to be searched for."""


@dataclass(frozen=True, slots=True)
class AttachmentDenied:
    """The secret was not added to a request to `host`."""

    reason: Denial
    host: str


@dataclass(frozen=True, slots=True)
class AttachmentExpired:
    """The access token has run out; `services.accounts` has it renewed and asks again."""

    host: str


class Vault(Protocol):
    """The secrets of the open organization."""

    async def add(self, draft: ConnectionDraft, secret: Secret) -> Connection:
        """Keep a secret. Raises NotochordError(INPUT_INVALID) for an empty secret or a registration without a host."""

    async def replace_secret(self, connection: str, secret: Secret) -> None:
        """Give a connection another secret. Raises NOT_FOUND."""

    async def remove(self, connection: str) -> None:
        """Delete a connection and its secret. Raises NOT_FOUND."""

    async def connections(self) -> tuple[Connection, ...]:
        """Return all connections, by name."""

    async def attachment(self, connection: str, url: str) -> Attachment | AttachmentDenied | AttachmentExpired:
        """Return what to add to a request to `url`, if its scheme, host and path are registered."""

    async def store_key(self, owner: str) -> bytes:
        """Return the 32-byte random key of a store (such as `gem:<id>`), made at the first call."""

    async def forget_store_key(self, owner: str) -> None:
        """Destroy the key of a store; what it encrypted is lost."""


class AccountKeeping(Protocol):
    """What only `services.accounts` asks of the vault: accounts that are signed in to, and changes of any."""

    async def add_client(self, draft: ConnectionDraft, client_secret: Secret | None) -> Connection:
        """Keep a connection whose `oauth` says where to sign in; nobody has yet. Raises INPUT_INVALID."""

    async def change(self, connection: str, name: str, registration: Registration) -> None:
        """Give a connection another name and other places. Raises NOT_FOUND, INPUT_INVALID."""

    async def client(self, connection: str) -> ClientSecrets:
        """Return what a token request needs. Raises NOT_FOUND, also for one that nobody signs in to."""

    async def replace_client_secret(self, connection: str, secret: Secret) -> None:
        """Raises NOT_FOUND, INPUT_INVALID."""

    async def keep_tokens(self, connection: str, tokens: Tokens, *, instead_of: Secret | None = None) -> bool:
        """Keep what a service gave; it is on the disk when this returns, and only then may it be used.

        Without a new refresh token the one there is stays. With `instead_of` nothing is kept, and False returned, if
        the refresh token is another one by now (signed in anew, or out). Raises NOT_FOUND, INPUT_INVALID.
        """

    async def end_sign_in(self, connection: str, state: SignIn, *, instead_of: Secret | None = None) -> bool:
        """Forget the tokens. `instead_of` as in `keep_tokens`. Raises NOT_FOUND."""


class Grants(Protocol):
    """Which project may use which connection: by default none (CRED-016)."""

    async def grant(self, grant: Grant) -> None:
        """Raises NOT_FOUND."""

    async def revoke(self, grant: Grant) -> None:
        """Take a grant back; one that is not there is no error."""

    async def granted(self, grant: Grant) -> bool:
        """Tell whether a grant is there now. Raises NOT_FOUND for a connection that is not there (any more)."""

    async def grants(self) -> tuple[Grant, ...]: ...


class KeyStore(Protocol):
    """Keeps one 32-byte key per organization, named by its id."""

    async def load(self, organization: str) -> bytes | None:
        """Return the key; None if this store has none for the organization.

        Raises NotochordError: KEYCHAIN_UNAVAILABLE (no usable keychain), KEYCHAIN_LOCKED, KEYCHAIN_REFUSED (the user
        or the system said no), KEYCHAIN_TIMEOUT (no answer in time), KEY_WRONG (what is stored is no key).
        """

    async def save(self, organization: str, key: bytes) -> None:
        """Keep the key and read it back. Raises as `load` does."""

    async def delete(self, organization: str) -> None:
        """Destroy the key; one that is not there is no error. Raises as `load` does."""
