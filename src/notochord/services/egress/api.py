"""The door to the network: every request names its caller, is judged hop by hop, and gets its secret last."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from notochord.core.caller import Caller


class OutsideMode(StrEnum):
    """How the list for the outside is meant."""

    BLOCK = "block"
    ALLOW = "allow"


HIDDEN = "…"
"""Shown in place of a password."""


@dataclass(frozen=True, slots=True)
class NetworkRules:
    """The user's rules (SET-010 to SET-027); both outside lists are kept when the mode changes."""

    outside_mode: OutsideMode
    blocked: tuple[str, ...]
    allowed: tuple[str, ...]
    local: tuple[str, ...]
    proxy: str = ""
    """Upstream proxy; empty: from the environment; "direct": none."""


def without_password(proxy: str) -> str:
    """Return the address of a proxy as it may be shown: the user in it stays, the password does not."""
    before, at, host = proxy.rpartition("@")
    scheme, separator, user = before.rpartition("://")
    name, colon, _ = user.partition(":")
    return f"{scheme}{separator}{name}{colon}{HIDDEN if colon else ''}{at}{host}"


HOST_NOT_GRANTED = "why.host_not_granted"
"""Why a request with a `HostGrant` was refused: the gem did not ask for this host."""


@dataclass(frozen=True, slots=True)
class HostGrant:
    """What a gem asked for; a request passes only if the user's rules and this allow it (PERM-017 to PERM-056)."""

    hosts: tuple[str, ...]
    local: bool = False


@dataclass(frozen=True, slots=True)
class Leave:
    """Under which rights a request goes out.

    `typed_origin` is the exact address (`http://localhost:11434`) that the user typed for the feature making this
    request; it is open to this request only, on its first hop and on redirects to the same origin.
    `own` marks the program's own requests (static configuration, store), which the outside list does not rule.
    `outside_only` refuses this computer and the internal network, also what of it the user has listed (RES-024).
    """

    caller: Caller
    grant: HostGrant | None = None
    typed_origin: str = ""
    connection: str = ""
    own: bool = False
    outside_only: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One request as its caller means it; limits are in bytes and seconds.

    With `stay_on_host` a redirect to another host or port is returned instead of followed: a consent names one host.
    With `https_only` no hop goes without encryption.
    """

    method: str
    url: str
    leave: Leave
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: bytes = field(default=b"", repr=False)
    max_bytes: int = 20 * 1024 * 1024
    timeout: float = 60.0
    follow_redirects: bool = True
    stay_on_host: bool = False
    https_only: bool = False
    most_redirects: int = 20


@dataclass(frozen=True, slots=True)
class CredentialDenied:
    """The secret was not added: `reason` is one of `vault.api.Denial` (TOOL-033 to TOOL-037)."""

    reason: str
    host: str


@dataclass(frozen=True, slots=True)
class Response:
    """The answer, searched for the secret already; `url` is where it came from in the end."""

    status: int
    url: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)
    credential_denied: CredentialDenied | None = None


class Egress(Protocol):
    """The gateway. Everything that goes out goes through `fetch`, or through a client whose transport asks it."""

    async def fetch(self, request: Request) -> Response:
        """Send a request, following redirects with each hop judged anew.

        Raises NotochordError: NETWORK_ADDRESS_INVALID, NETWORK_BLOCKED, NETWORK_LOCAL_CLOSED, PERM_DENIED (outside a
        gem's grant), NETWORK_UNREACHABLE, NETWORK_TLS, NETWORK_PROXY, NETWORK_REDIRECTS, PAYLOAD_TOO_LARGE, TIMEOUT.
        """

    def check(self, url: str, leave: Leave) -> None:
        """Refuse what `fetch` would refuse by the address as it is written; no name server hears of it.

        Raises NotochordError: NETWORK_ADDRESS_INVALID, NETWORK_BLOCKED, NETWORK_LOCAL_CLOSED, PERM_DENIED.
        """

    def rules(self) -> NetworkRules:
        """Return the user's rules."""

    def normal_entry(self, entry: str, *, local: bool) -> str:
        """Return an entry as it is kept: lower case, `xn--` labels, no dot at the end; `local` for the local list.

        Raises as `change_rules` does.
        """

    async def change_rules(self, rules: NetworkRules) -> None:
        """Store new rules, each entry in its normal form and once.

        Answers still arriving from where the rules no longer allow to go are ended.

        Raises NETWORK_RULE_INVALID naming the entry and what to write instead, NETWORK_RULE_OTHER_LIST.
        """


class Stream(Protocol):
    """An answer that was judged and is searched for secrets as it is read."""

    status: int
    url: str
    headers: tuple[tuple[str, str], ...]
    credential_denied: CredentialDenied | None

    async def read(self) -> bytes:
        """Return the next piece, empty at the end. Raises as `Egress.fetch` does."""

    async def close(self) -> None:
        """Let go of the answer; may be called twice."""


class Gateway(Protocol):
    """The streaming side of `Egress`: for downloads, and for adapters that hand clients to libraries."""

    async def open(self, request: Request) -> Stream:
        """Send as `Egress.fetch` does, but return when the headers are here.

        The request's `timeout` then bounds the wait for the headers and for each later piece. Raises as `fetch` does.
        """
