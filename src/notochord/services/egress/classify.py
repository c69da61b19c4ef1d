"""Tells the outside from the local machine and the internal network (PERM-038 to PERM-047, GEMOPEN-057)."""

import ipaddress
from collections.abc import Iterable

from notochord.services.egress.hosts import Host, IpAddress

_LOCAL_V4 = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.168.0.0/16",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_LOCAL_V6 = tuple(
    ipaddress.IPv6Network(text) for text in ("fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "64:ff9b:1::/48")
)
# Ranges that carry an IPv4 address: how many bits lie below it.
_EMBEDDING = (
    (ipaddress.IPv6Network("::/96"), 0),
    (ipaddress.IPv6Network("::ffff:0:0/96"), 0),
    (ipaddress.IPv6Network("::ffff:0:0:0/96"), 0),
    (ipaddress.IPv6Network("64:ff9b::/96"), 0),
    (ipaddress.IPv6Network("2002::/16"), 80),
)
_LOCAL_SUFFIXES = ("local", "localhost", "internal", "home.arpa")


def is_local_address(address: IpAddress) -> bool:
    """Tell whether an address belongs to this computer or to the internal network."""
    if isinstance(address, ipaddress.IPv4Address):
        return any(address in network for network in _LOCAL_V4)
    address = ipaddress.IPv6Address(int(address))  # without a zone
    if any(address in network for network in _LOCAL_V6):
        return True
    return any(
        address in network and is_local_address(ipaddress.IPv4Address((int(address) >> below) & 0xFFFFFFFF))
        for network, below in _EMBEDDING
    )


def is_local_name(host: Host) -> bool:
    """Tell whether the host is local as it is written: a local address, a single label, a name such as `nas.local`."""
    if host.address is not None:
        return is_local_address(host.address)
    last = host.text.rpartition(".")
    return not last[1] or any(host.text == suffix or host.text.endswith("." + suffix) for suffix in _LOCAL_SUFFIXES)


def is_this_computer(host: Host) -> bool:
    """Tell whether the host, as written, is this very computer."""
    if host.address is None:
        return host.text == "localhost" or host.text.endswith(".localhost")
    return host.address.is_loopback or host.address.is_unspecified


def is_local(host: Host, addresses: Iterable[IpAddress]) -> bool:
    """Tell whether local rules apply: by the name, or because any resolved address is local (mixed answers too)."""
    return is_local_name(host) or any(is_local_address(address) for address in addresses)
