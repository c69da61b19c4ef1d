"""What the store needs from outside."""

from typing import Protocol

from notochord.services.egress.api import Request


class Answer(Protocol):
    """An answer whose headers are here; the body is read piece by piece."""

    status: int
    url: str

    async def read(self) -> bytes:
        """Return the next piece, empty at the end."""

    async def close(self) -> None:
        """Let go of the answer; may be called twice."""


class Gateway(Protocol):
    """The streaming side of egress."""

    async def open(self, request: Request) -> Answer:
        """Send a request; return when the headers are here. Raises NotochordError as `Egress.fetch` does."""
