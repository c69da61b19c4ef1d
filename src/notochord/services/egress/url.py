"""Our own strict reading of an http or https address; what is judged here is what is dialled, never read again."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urljoin

from notochord.services.egress.hosts import Host, invalid, read_host

DEFAULT_PORTS = {"http": 80, "https": 443}

_LONGEST = 16_384
_SHAPE = re.compile(r"([a-zA-Z]+)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.DOTALL)
_PORT = re.compile(r"[0-9]{1,5}")
_PATH_SAFE = "/:@!$&'()*+,;=~%"
_QUERY_SAFE = _PATH_SAFE + "?[]|\\^`{}"
_TRICKY = re.compile(r"\.\.?(;.*)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Url:
    """An address in normal form: no user, no fragment, dot segments resolved, everything ASCII."""

    scheme: str
    host: Host
    port: int
    path: str
    query: str | None = None

    @property
    def target(self) -> str:
        """What stands in the request line."""
        return self.path if self.query is None else f"{self.path}?{self.query}"

    @property
    def is_default_port(self) -> bool:
        return self.port == DEFAULT_PORTS[self.scheme]

    @property
    def authority(self) -> str:
        """Host, and port unless it is the scheme's own: what the Host header holds and what a consent names."""
        return self.host.bracketed if self.is_default_port else f"{self.host.bracketed}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    def __str__(self) -> str:
        return self.origin + self.target


def read_url(text: str) -> Url:
    """Return the normal form of an absolute http or https address.

    Raises NotochordError(NETWORK_ADDRESS_INVALID) for another scheme, a user name or password, blanks, control
    characters and backslashes before the query, a host that `read_host` refuses, a port outside 1 to 65535, and a
    path that hides a step upwards in percent signs or parameters.
    """
    if len(text) > _LONGEST:
        raise invalid("the address is too long")
    if any(character <= " " or character == "\x7f" or "\ud800" <= character <= "\udfff" for character in text):
        raise invalid("the address has a blank or a control character")
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        raise invalid("the address must begin with https:// or http://")
    scheme, authority, path, query = shape[1].lower(), shape[2], shape[3], shape[4]
    if scheme not in DEFAULT_PORTS:
        raise invalid("the address must begin with https:// or http://")
    if "@" in authority:
        raise invalid("the address must not hold a user name or password")
    if "\\" in authority or "\\" in path:
        raise invalid("the address has a backslash")
    host, port = _host_and_port(authority)
    query = None if query is None else _escape(query, _QUERY_SAFE).replace("\\", "%5C")
    return Url(scheme, host, DEFAULT_PORTS[scheme] if port is None else port, _normal_path(path), query)


def join(base: Url, reference: str) -> Url:
    """Return where a `Location` leads from `base`. Raises as `read_url` does."""
    if "\\" in reference.split("?")[0]:
        raise invalid("the address has a backslash")
    if any(character <= " " or character == "\x7f" for character in reference):
        raise invalid("the address has a blank or a control character")
    try:
        return read_url(urljoin(str(base), reference))
    except ValueError as error:
        raise invalid("the address of the redirect cannot be read") from error


def with_query(url: Url, parameters: tuple[tuple[str, str], ...]) -> Url:
    """Return the address with these query parameters; others of the same names are dropped."""
    if not parameters:
        return url
    names = {name for name, _ in parameters}
    parts = [part for part in (url.query or "").split("&") if part]
    kept = [part for part in parts if unquote(part.partition("=")[0].replace("+", " ")) not in names]
    added = [f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in parameters]
    return Url(url.scheme, url.host, url.port, url.path, "&".join(kept + added))


def _host_and_port(authority: str) -> tuple[Host, int | None]:
    if authority.startswith("["):
        inner, bracket, rest = authority.partition("]")
        host, colon, port = inner + bracket, rest[:1], rest[1:]
        if colon not in ("", ":"):
            raise invalid("the IPv6 address is not valid")
    else:
        host, colon, port = authority.partition(":")
    if not port:
        return read_host(host), None
    if not _PORT.fullmatch(port) or not 1 <= int(port) <= 65535:
        raise invalid("the port must be a number from 1 to 65535")
    return read_host(host), int(port)


def _normal_path(path: str) -> str:
    """Resolve dot segments, also those written with %2e, and refuse those that only a careless server would see."""
    result: list[str] = []
    segments = (path or "/").split("/")[1:]
    for place, segment in enumerate(segments):
        plain = segment.replace("%2e", ".").replace("%2E", ".")
        is_last = place == len(segments) - 1
        if plain in (".", ".."):
            if plain == ".." and result:
                result.pop()
            if is_last:
                result.append("")
            continue
        if _climbs(segment):
            raise invalid("the path hides a step upwards")
        result.append(_escape(segment, _PATH_SAFE))
    return "/" + "/".join(result)


def _climbs(segment: str) -> bool:
    for _ in range(4):
        if any(_TRICKY.fullmatch(piece) for piece in re.split(r"[/\\]", segment)):
            return True
        plain = unquote(segment, errors="replace")
        if plain == segment:
            return False
        segment = plain
    return True


def _escape(text: str, safe: str) -> str:
    """Percent-encode what is not ASCII or has no place here; a percent sign that begins no escape is encoded too."""
    return re.sub(r"%(?![0-9a-fA-F]{2})", "%25", quote(text, safe=safe))
