"""Finds links and says where they lead: the full host, with names in other scripts spelled out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import idna

OFFERED = ("http", "https", "mailto")
"""Only these are ever opened."""
MOST_CHARACTERS = 2000

_BARE = re.compile(r"https?://[^\s<>\"'`“”‘’「」『』《》【】（），。；：！？、\u0000-\u001f]+")
_TRAILING = ".,;:!?*_~"


@dataclass(frozen=True, slots=True)
class Link:
    """A link that may be opened: the address, the host as it is looked up, and how that reads where it differs."""

    address: str
    host: str
    reads: str = ""

    @property
    def described(self) -> str:
        """The host (and how it reads), then the whole address."""
        host = f"{self.host} ({self.reads})" if self.reads else self.host
        return f"{host}\n{self.address}" if host else self.address


def link_to(address: str) -> Link | None:
    """Read an address; None if it is none that is offered, or hides its host."""
    if len(address) > MOST_CHARACTERS or not address.isprintable() or " " in address:
        return None
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme not in OFFERED:
        return None
    if parts.scheme == "mailto":
        return Link(address, _spelled(parts.path.rpartition("@")[2]) or "", "")
    spelled = _spelled(host)
    if not spelled:
        return None
    reads = _reading(spelled)
    return Link(address, spelled, reads if reads != spelled else "")


def bare_links(text: str) -> Iterator[tuple[int, int]]:
    """Find addresses that stand in a text as they are: where each begins and ends."""
    if "://" not in text:
        return
    for found in _BARE.finditer(text):
        address = found.group().rstrip(_TRAILING)
        while address.endswith(")") and address.count("(") < address.count(")"):
            address = address[:-1].rstrip(_TRAILING)
        if link_to(address) is not None:
            yield found.start(), found.start() + len(address)


def _spelled(host: str) -> str:
    if host.isascii():
        return host.lower()
    try:
        return idna.encode(host, uts46=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        return ""


def _reading(host: str) -> str:
    if "xn--" not in host:
        return host
    try:
        return idna.decode(host)
    except (idna.IDNAError, UnicodeError):
        return host
