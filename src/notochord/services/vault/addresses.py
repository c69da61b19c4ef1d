"""Reads addresses and path prefixes for the vault; whatever could be read in two ways is refused."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import unquote_to_bytes

import idna

DEFAULT_PORTS = {"https": 443, "http": 80}
MOST_DECODINGS = 4

_URL = re.compile(
    r"(?P<scheme>https?)://(?P<authority>[^/?#@\\]+)(?P<path>/[^?#]*)?(\?[^#]*)?(#.*)?",
    re.IGNORECASE,
)
_AUTHORITY = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^\[\]:%]+)(:(?P<port>[0-9]{0,5}))?")
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\\]")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a request goes: `host` in the form in which two equal hosts are equal texts."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def site(self) -> str:
        """Host, with the port unless it is the scheme's own."""
        return self.host if self.port == DEFAULT_PORTS[self.scheme] else f"{self.host}:{self.port}"


def read_address(url: str) -> Address | None:
    """Return the parts of an http or https URL; None for any other text, one with a user or with hidden characters."""
    match = _URL.fullmatch(url)
    if match is None or _UNSEEN.search(url):
        return None
    scheme = match["scheme"].lower()
    place = _read_authority(match["authority"], DEFAULT_PORTS[scheme])
    return None if place is None else Address(scheme, *place, match["path"] or "/")


def read_site(text: str) -> str | None:
    """Return a host (with port unless 443) in its one form; None if it is none."""
    place = None if _UNSEEN.search(text) else _read_authority(text, DEFAULT_PORTS["https"])
    return None if place is None else Address("https", *place, "/").site


def read_prefix(text: str) -> tuple[str, ...] | None:
    """Return the segments of a path prefix; None if it does not begin with a slash or is not plain."""
    if not text.startswith("/"):
        return None
    readings = readings_of(text)
    if readings is None or len(readings) > 1:
        return None
    (segments,) = readings
    return segments[:-1] if segments[-1] == "" else segments


def readings_of(path: str) -> tuple[tuple[str, ...], ...] | None:
    """Return the segments that a server sees when it decodes `path` once, and (where they differ) more often.

    None for a path that some server could read as another one: dot segments, however they are written, encoded
    slashes and backslashes, bytes that are no text, escapes that are cut short.
    """
    readings: list[tuple[str, ...]] = []
    text = path
    for _ in range(MOST_DECODINGS):
        decoded = _decode(text)
        if decoded is None:
            return None
        if readings and decoded == text:
            return tuple(readings)
        readings.append(tuple(decoded.split("/")[1:]))
        text = decoded
    return None


def _decode(path: str) -> str | None:
    if re.search(r"%(?![0-9a-fA-F]{2})|%2f|%5c", path, re.IGNORECASE):
        return None
    try:
        decoded = unquote_to_bytes(path).decode()
    except UnicodeDecodeError:
        return None
    segments = decoded.split("/")
    # Some servers take `..;x` for `..` and drop what follows the semicolon.
    dotted = any(segment.partition(";")[0].strip() in (".", "..") for segment in segments)
    return None if dotted or re.search(r"[\x00-\x1f\x7f\\]", decoded) else decoded


def _read_authority(text: str, default_port: int) -> tuple[str, int] | None:
    match = _AUTHORITY.fullmatch(text)
    host = None if match is None else _read_host(match["host"])
    if match is None or host is None:
        return None
    port = int(match["port"] or default_port)
    return (host, port) if 0 < port < 65536 else None


def _read_host(text: str) -> str | None:
    try:
        if text.startswith("["):
            return f"[{ip_address(text[1:-1]).compressed}]"
        name = text.lower() if text.isascii() else idna.encode(text, uts46=True).decode().lower()
    except ValueError:  # idna.IDNAError is one
        return None
    return name if _NAME.fullmatch(name) and len(name) <= 253 else None
