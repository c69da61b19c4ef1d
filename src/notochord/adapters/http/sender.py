"""Sends what egress judged; the HTTP library is loaded with the first request."""

import ssl
from typing import TYPE_CHECKING

from notochord.services.egress.ports import Incoming, Outgoing, Resolver

if TYPE_CHECKING:
    from notochord.adapters.http.connections import Connections


class HttpSender:
    """HTTP/1.1 over asyncio. `tls` replaces the system's trusted authorities."""

    def __init__(self, *, resolver: Resolver, tls: ssl.SSLContext | None = None) -> None:
        self._resolver = resolver
        self._tls = tls
        self._connections: Connections | None = None

    async def send(self, outgoing: Outgoing) -> Incoming:
        """Send a request; see `Sender.send`."""
        if self._connections is None:
            from notochord.adapters.http.connections import Connections

            self._connections = Connections(resolver=self._resolver, tls=self._tls)
        return await self._connections.send(outgoing)

    async def close(self) -> None:
        """End all connections."""
        if self._connections is not None:
            await self._connections.close()
