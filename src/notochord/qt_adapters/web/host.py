"""What the engine's side of a page is given, and whom it tells."""

import hashlib
from collections.abc import Awaitable
from typing import Protocol

from PySide6.QtCore import QUrl

LAST_LABEL = "gem"


class ServedFile(Protocol):
    """A file of a page."""

    @property
    def content(self) -> bytes: ...

    @property
    def media_type(self) -> str: ...


class PageHost(Protocol):
    """The program's side of one page. Everything that is told here comes from the page and is not trusted."""

    def file(self, path: str) -> Awaitable[ServedFile]:
        """Return a file of the page's gem. Raises NotochordError."""

    def receive(self, text: str) -> None:
        """The page sent a message."""

    def loaded(self, ok: bool) -> None:
        """The page was loaded, or could not be."""

    def problem(self, text: str) -> None:
        """A script of the page failed, or the policy refused something."""

    def refused(self, what: str) -> None:
        """The page tried what it may not, and was refused: said without the page's own words, a host's name aside."""

    def wants_link(self, address: str) -> None:
        """The user, or the page, wants to go to an address outside."""

    def crashed(self) -> None:
        """The process of the page ended."""

    def answers(self, again: bool) -> None:
        """The page's process does not answer for some time, or does `again`."""


def origin_host(gem: str) -> str:
    """Return the host name of a gem's origin: different for different gems, whatever the browser does to host names.

    An id may look like a number or an address (`1.2`), which browsers write in another way, and may be too long.
    """
    digest = hashlib.sha256(gem.encode()).hexdigest()[:24]
    readable = "".join(letter if letter.isalnum() else "-" for letter in gem)[:30].strip("-")
    return f"{readable}-{digest}.{LAST_LABEL}"


def is_own(url: QUrl, scheme: str, host: str) -> bool:
    """Tell whether an address is of the page's own origin."""
    return url.scheme() == scheme and url.host() == host and url.port() == -1 and not url.userInfo()
