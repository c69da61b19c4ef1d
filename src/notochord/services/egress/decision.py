"""Judges one hop: the user's rules and the gem's grant on the name, then on every resolved address (OPEN-111)."""

import ipaddress
from dataclasses import dataclass

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.egress.api import HOST_NOT_GRANTED, Leave
from notochord.services.egress.classify import is_local, is_local_name, is_this_computer
from notochord.services.egress.hosts import IpAddress, host_of
from notochord.services.egress.ports import Resolver
from notochord.services.egress.rules import Entry, Rules, grant_covers, read_grant
from notochord.services.egress.url import Url, read_url

_MOST_ADDRESSES = 32
_LOOPBACK = (ipaddress.IPv4Address("127.0.0.1"), ipaddress.IPv6Address("::1"))


@dataclass(frozen=True, slots=True)
class Hop:
    """An address that passed: dial one of `addresses`, whatever the name resolves to later."""

    url: Url
    addresses: tuple[IpAddress, ...]
    local: bool
    typed: bool


class Rights:
    """What one request may do, read once; judges each of its hops in order."""

    def __init__(self, leave: Leave) -> None:
        self._own = leave.own
        self._outside_only = leave.outside_only
        self._granted: tuple[Entry, ...] | None = None if leave.grant is None else read_grant(leave.grant)
        self._grant_local = leave.grant is not None and leave.grant.local
        self._typed_origin = ""
        if leave.typed_origin and leave.grant is None and not leave.outside_only:
            self._typed_origin = read_url(leave.typed_origin).origin

    def is_typed(self, url: Url) -> bool:
        """Tell whether this is the very address that the user typed for the feature that asks."""
        return url.origin == self._typed_origin

    def check_name(self, url: Url, rules: Rules, *, typed: bool) -> None:
        """Refuse by the name alone what can be refused, so that not even a name server hears of it.

        Raises NotochordError: PERM_DENIED, NETWORK_BLOCKED, NETWORK_LOCAL_CLOSED.
        """
        listed = self._is_listed(url, rules)
        if self._granted is not None and not grant_covers(self._granted, url) and not (self._grant_local and listed):
            raise _denied(url)
        if typed or listed:
            return
        if is_local_name(url.host):
            raise self._closed(url)
        if not self._own and not rules.outside_is_open(url):
            raise _blocked(url)

    def check_addresses(self, hop: Hop, rules: Rules) -> None:
        """Refuse by what the name resolved to. Raises as `check_name` does."""
        listed = self._is_listed(hop.url, rules)
        if hop.local:
            if self._granted is not None and not (self._grant_local and listed):
                raise _denied(hop.url)
            if not listed and not hop.typed:
                raise self._closed(hop.url)
            return
        if self._granted is not None and not grant_covers(self._granted, hop.url):
            raise _denied(hop.url)
        if not self._own and not rules.outside_is_open(hop.url):
            raise _blocked(hop.url)

    def _is_listed(self, url: Url, rules: Rules) -> bool:
        return not self._outside_only and rules.local_is_listed(url)

    def _closed(self, url: Url) -> NotochordError:
        """A gem is told that it may not, the user's own features which list to change (GEMOPEN-022)."""
        if self._outside_only:
            return _inside(url)
        return _closed(url) if self._granted is None else _denied(url)


async def judge(url: Url, rights: Rights, rules: Rules, resolver: Resolver, *, typed: bool) -> Hop:
    """Resolve once and judge name and addresses. `typed` tells that the exception for the typed address may apply.

    Raises NotochordError: PERM_DENIED, NETWORK_BLOCKED, NETWORK_LOCAL_CLOSED, NETWORK_UNREACHABLE.
    """
    typed = typed and rights.is_typed(url)
    rights.check_name(url, rules, typed=typed)
    addresses = await _addresses(url, resolver)
    hop = Hop(url, addresses, is_local(url.host, addresses), typed)
    rights.check_addresses(hop, rules)
    return hop


async def _addresses(url: Url, resolver: Resolver) -> tuple[IpAddress, ...]:
    if url.host.address is not None:
        return (url.host.address,)
    if is_this_computer(url.host):
        return _LOOPBACK
    found = await resolver.resolve(url.host.text)
    try:
        addresses = tuple(_plain(ipaddress.ip_address(text)) for text in found[:_MOST_ADDRESSES])
    except ValueError:
        addresses = ()
    if not addresses:
        raise NotochordError(Code.NETWORK_UNREACHABLE, Fault.NETWORK, "the name has no address", host=url.host.text)
    return addresses


def _plain(address: IpAddress) -> IpAddress:
    mapped = host_of(address).address
    return address if mapped is None else mapped


def _denied(url: Url) -> NotochordError:
    detail = f"network access to {url.authority} is not granted"
    return NotochordError(Code.PERM_DENIED, Fault.POLICY, detail, subject=url.authority, why=HOST_NOT_GRANTED)


def _blocked(url: Url) -> NotochordError:
    detail = f"the user's network rules do not allow {url.host.text}"
    return NotochordError(Code.NETWORK_BLOCKED, Fault.POLICY, detail, host=url.host.text)


def _closed(url: Url) -> NotochordError:
    detail = f"{url.authority} is on this computer or the internal network and the user has not listed it"
    return NotochordError(Code.NETWORK_LOCAL_CLOSED, Fault.POLICY, detail, host=url.authority)


def _inside(url: Url) -> NotochordError:
    detail = f"{url.authority} is on this computer or the internal network, from where nothing is downloaded"
    return NotochordError(Code.NETWORK_LOCAL_CLOSED, Fault.POLICY, detail, host=url.authority)
