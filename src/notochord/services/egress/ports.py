"""What egress needs from outside, and what the adapters that make clients may ask of it."""

from dataclasses import dataclass, field
from typing import Protocol

from notochord.services.egress.api import CredentialDenied as CredentialDenied
from notochord.services.egress.api import Gateway as Gateway
from notochord.services.egress.api import Leave as Leave
from notochord.services.egress.api import Request as Request
from notochord.services.egress.api import Stream as Stream
from notochord.services.vault.api import Attachment, AttachmentDenied


class Attachments(Protocol):
    """Gives what carries a connection's secret, for one request at the moment of sending."""

    async def attachment(self, connection: str, url: str) -> Attachment | AttachmentDenied:
        """Return what to add to a request to `url`, or why nothing is; see `Vault.attachment`.

        Raises NotochordError NETWORK_* and TIMEOUT when it had to be renewed first and its service did not answer.
        """


class Resolver(Protocol):
    """Asks the system for the addresses of a name."""

    async def resolve(self, host: str) -> tuple[str, ...]:
        """Return every IPv4 and IPv6 address of a name, best first. Raises NotochordError(NETWORK_UNREACHABLE)."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """An upstream proxy; `authorization` is the value of its Proxy-Authorization header, empty for none."""

    scheme: str
    host: str
    port: int
    authorization: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One request, judged and complete: dial one of `addresses`, and nothing else.

    `host` is for the certificate only; `headers` hold Host and may hold a secret, as may `target`.
    """

    method: str
    scheme: str
    host: str
    port: int
    addresses: tuple[str, ...]
    target: str = field(repr=False)
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)
    proxy: Proxy | None = None


class Incoming(Protocol):
    """An answer on its way in: headers are there, the body follows; gzip and deflate are undone already."""

    status: int
    headers: tuple[tuple[str, str], ...]

    async def read(self) -> bytes:
        """Return the next piece, at most a few MiB, empty at the end. Raises NETWORK_UNREACHABLE, NETWORK_TLS."""

    async def close(self) -> None:
        """Give the connection back or end it; may be called twice."""


class Sender(Protocol):
    """Dials and speaks HTTP. It resolves no target, follows no redirect and adds no header but framing."""

    async def send(self, outgoing: Outgoing) -> Incoming:
        """Send a request and return the answer once its headers are here.

        Raises NotochordError: NETWORK_UNREACHABLE, NETWORK_TLS, NETWORK_PROXY. No text of an error holds a header.
        """

    async def close(self) -> None:
        """End all connections."""
