"""Chooses the way out: straight, or through the proxy of the settings or of the environment."""

import ipaddress
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.egress.hosts import IpAddress
from notochord.services.egress.ports import Proxy
from notochord.services.egress.url import Url, read_url

_DEFAULT_PORTS = {"http": 80, "https": 443}


def read_proxy(text: str) -> Proxy:
    """Read the address of an http or https proxy; the scheme may be left out, a user and password may be in it.

    Raises NotochordError(NETWORK_PROXY).
    """
    scheme, separator, rest = text.strip().partition("://")
    if not separator:
        scheme, rest = "http", text.strip()
    if scheme.lower() not in _DEFAULT_PORTS:
        raise refused("this kind of proxy is not supported; use an http or https proxy")
    user, _, authority = rest.rstrip("/").rpartition("@")
    try:
        url = read_url(f"{scheme}://{authority}")
    except NotochordError:
        raise refused("the address of the proxy cannot be read") from None
    if url.path != "/" or url.query is not None:
        raise refused("the address of the proxy has a path")
    return Proxy(url.scheme, url.host.text, url.port, _authorization(user))


def refused(detail: str) -> NotochordError:
    """Return the error for a proxy that cannot be used."""
    return NotochordError(Code.NETWORK_PROXY, Fault.NETWORK, detail)


@dataclass(frozen=True, slots=True)
class Environment:
    """The proxy variables of the environment, in either case; the lower-case one wins, as with curl."""

    values: Mapping[str, str]

    def _value(self, name: str) -> str:
        return (self.values.get(name.lower()) or self.values.get(name.upper()) or "").strip()

    def proxy_for(self, url: Url, addresses: tuple[IpAddress, ...]) -> Proxy | None:
        """Return the proxy for an address of the outside. Raises NotochordError(NETWORK_PROXY)."""
        if self._is_excepted(url, addresses):
            return None
        # HTTP_PROXY in upper case is ignored where a web server may have set it from a request's Proxy header.
        name = f"{url.scheme}_proxy"
        if name == "http_proxy" and "REQUEST_METHOD" in self.values:
            text = self.values.get(name, "").strip()
        else:
            text = self._value(name)
        text = text or self._value("all_proxy")
        return read_proxy(text) if text else None

    def _is_excepted(self, url: Url, addresses: tuple[IpAddress, ...]) -> bool:
        entries = [entry.strip() for entry in self._value("no_proxy").split(",")]
        return any(entry and _excepts(entry, url, addresses) for entry in entries)


def choose(setting: str, environment: Environment, url: Url, addresses: tuple[IpAddress, ...]) -> Proxy | None:
    """Return the proxy for an address of the outside; local addresses never come here, they are reached directly.

    `setting` is `NetworkRules.proxy`: empty for the environment's, "direct" for none. Raises NETWORK_PROXY.
    """
    if setting == "direct":
        return None
    return read_proxy(setting) if setting else environment.proxy_for(url, addresses)


def _authorization(user: str) -> str:
    if not user:
        return ""
    name, _, password = user.partition(":")
    return "Basic " + b64encode(f"{unquote(name)}:{unquote(password)}".encode()).decode()


def _excepts(entry: str, url: Url, addresses: tuple[IpAddress, ...]) -> bool:
    if entry == "*":
        return True
    try:
        network = ipaddress.ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        pass
    else:
        return url.host.address is not None and any(address in network for address in addresses)
    host, _, port = entry.lower().partition(":") if entry.count(":") == 1 else (entry.lower(), "", "")
    if port and port != str(url.port):
        return False
    name = host.removeprefix("*").strip(".")
    return url.host.text == name or url.host.text.endswith("." + name)
