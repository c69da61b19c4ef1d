"""Reads the host of an address: every spelling of one machine becomes one normal form, or is refused."""

import ipaddress
import re
from dataclasses import dataclass

import idna

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_LONGEST_NAME = 253
_LONGEST_HOST = 1000
_FORBIDDEN = frozenset('%\\/?#@:[]<>^|`{}"')


@dataclass(frozen=True, slots=True)
class Host:
    """A host in normal form: lower case, `xn--` labels, no trailing dot; an address as digits.

    `address` is set when the host is an IP address. IPv6 stands in `text` without brackets.
    """

    text: str
    address: IpAddress | None = None

    @property
    def bracketed(self) -> str:
        """The host as it stands in an address and in the Host header."""
        return f"[{self.text}]" if ":" in self.text else self.text


def read_host(text: str) -> Host:
    """Return the normal form of a host as written in an address (IPv6 in brackets).

    IPv4 may be decimal, octal, hexadecimal or short, as browsers and `inet_aton` read it; an IPv4-mapped IPv6 address
    becomes the IPv4 address it stands for. Raises NotochordError(NETWORK_ADDRESS_INVALID) for zone ids, percent
    signs, blanks, empty labels and everything that is no host.
    """
    if not text or len(text) > _LONGEST_HOST:
        raise invalid("the host is missing or too long")
    if text.startswith("["):
        return _ipv6(text)
    if any(character in _FORBIDDEN or character <= " " or character == "\x7f" for character in text):
        raise invalid("the host has a character that no host has")
    name = _ascii(text)
    name = name[:-1] if name.endswith(".") else name
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(labels)
    if len(name) > _LONGEST_NAME or not all(_LABEL.fullmatch(label) for label in labels):
        raise invalid("the host is not a valid name")
    return Host(name)


def invalid(detail: str) -> NotochordError:
    """Return the error for an address that cannot be read."""
    return NotochordError(Code.NETWORK_ADDRESS_INVALID, Fault.USER, detail)


def host_of(address: IpAddress) -> Host:
    """Return an IP address as a host."""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return Host(str(address), address)


def _ipv6(text: str) -> Host:
    inner = text[1:-1]
    if not text.endswith("]") or not inner.isascii() or "%" in inner:
        raise invalid("the IPv6 address is not valid")
    try:
        return host_of(ipaddress.IPv6Address(inner))
    except ValueError as error:
        raise invalid("the IPv6 address is not valid") from error


def _ascii(text: str) -> str:
    if text.isascii():
        return text.lower()
    try:
        return idna.encode(text, uts46=True, std3_rules=False).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError) as error:
        raise invalid("the host is not a valid international name") from error


def _ipv4(labels: list[str]) -> Host:
    """Read one to four numbers; the last one fills the bytes that are left."""
    if len(labels) > 4:
        raise invalid("an IPv4 address has at most four numbers")
    numbers = [_number(label) for label in labels]
    *leading, last = numbers
    if any(number > 255 for number in leading) or last >= 256 ** (5 - len(numbers)):
        raise invalid("a number of the IPv4 address is too large")
    value = last
    for place, number in enumerate(leading):
        value += number << (8 * (3 - place))
    return host_of(ipaddress.IPv4Address(value))


def _number(label: str) -> int:
    if not _NUMBER.fullmatch(label) or len(label) > 64:
        raise invalid("the IPv4 address is not valid")
    try:
        if label[:2] in ("0x", "0X"):
            return int(label[2:], 16)
        return int(label, 8) if len(label) > 1 and label.startswith("0") else int(label)
    except ValueError as error:
        raise invalid("the IPv4 address is not valid") from error
