"""What the control endpoint needs from the system: a local way in for this user's own processes only."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from notochord.core.paths import OrganizationFolder


class Channel(Protocol):
    """Frames in both directions between two processes of the same user; the peer was checked already."""

    async def receive(self) -> bytes | None:
        """Return the next frame, None once the other side is gone. Raises CONTROL_PROTOCOL for one too long."""

    async def send(self, frame: bytes) -> None:
        """Send a frame, waiting while the other side is slow. Raises CONTROL_LOST, CONTROL_PROTOCOL (too long)."""

    async def close(self) -> None: ...


class Listener(Protocol):
    """An open endpoint."""

    @property
    def address(self) -> str: ...

    async def close(self) -> None:
        """Let nobody in any more, and end every connection."""


class Endpoint(Protocol):
    """Makes endpoints and reaches them; an organization's folder is its address."""

    async def listen(self, folder: OrganizationFolder, serve: Callable[[Channel], Awaitable[None]]) -> Listener:
        """Answer for an organization that this process holds, in place of what a killed process left there.

        `serve` runs once for each connection, and the connection ends with it. Raises CONTROL_UNREACHABLE.
        """

    async def connect(self, folder: OrganizationFolder) -> Channel:
        """Reach the process that holds the organization. Raises CONTROL_UNREACHABLE, CONTROL_REFUSED."""
