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
class ConnectionDraft:
    """What a new connection is made from; `field` names the header or query parameter, or the user of BASIC."""

    name: str
    kind: str
    placement: Placement
    registration: Registration
    field: str = ""


@dataclass(frozen=True, slots=True)
class Connection:
    """An account: a secret kept by the vault, and where it may go."""

    id: str
    name: str
    kind: str
    placement: Placement
    registration: Registration
    field: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """What to add to one request at the moment of sending; for `services.egress` only."""

    headers: tuple[tuple[str, str], ...]
    query: tuple[tuple[str, str], ...]
    spellings: tuple[str, ...]
    """Every form in which the secret could come back: plain, percent-encoded, base64 …; to be searched for."""


@dataclass(frozen=True, slots=True)
class AttachmentDenied:
    """Why the secret was not added: `reason` is "host", "path", "scheme" or "unknown"."""

    reason: str
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

    async def attachment(self, connection: str, url: str) -> Attachment | AttachmentDenied:
        """Return what to add to a request to `url`, if its scheme, host and path are registered."""

    async def store_key(self, owner: str) -> bytes:
        """Return the 32-byte random key of a store (such as `gem:<id>`), made at the first call."""

    async def forget_store_key(self, owner: str) -> None:
        """Destroy the key of a store; what it encrypted is lost."""


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
