"""Asks the system for the addresses of a name."""

import asyncio
import socket

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError


class SystemResolver:
    """The system's own resolver, in a thread."""

    async def resolve(self, host: str) -> tuple[str, ...]:
        """Return every address once, in the system's order of preference. Raises NETWORK_UNREACHABLE."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise unreachable(host, "the name was not found") from None
        addresses = (str(entry[4][0]) for entry in found if entry[0] in (socket.AF_INET, socket.AF_INET6))
        return tuple(dict.fromkeys(addresses))


def unreachable(host: str, reason: str) -> NotochordError:
    """Return the error for a host that does not answer."""
    return NotochordError(Code.NETWORK_UNREACHABLE, Fault.NETWORK, f"{host}: {reason}", host=host)
