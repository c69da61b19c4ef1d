"""What accounts need from outside: a place on this computer to which the browser comes back."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

Parameters = Mapping[str, tuple[str, ...]]
"""The query of a redirect: each name with all its values."""


@dataclass(frozen=True, slots=True)
class ReturnPages:
    """Plain texts for the browser: after a redirect that was taken as a yes, or as a no."""

    yes: str
    no: str


class Waiting(Protocol):
    """A place that waits for one redirect."""

    uri: str

    async def redirect(self) -> Parameters:
        """Return the query of the first redirect that was accepted. Any other request changes nothing."""


class Redirects(Protocol):
    """Listens on 127.0.0.1, on a port that the system picks, and only while the block runs."""

    def waiting(
        self, path: str, accept: Callable[[Parameters], bool | None], pages: ReturnPages
    ) -> AbstractAsyncContextManager[Waiting]:
        """`accept` tells of a request to exactly this path: a yes, a no (both end the wait), or None: not ours."""
