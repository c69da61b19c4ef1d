"""The host names that a gem may ask for in its manifest (PERM-017 to PERM-029)."""

import ipaddress
import re

_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_PORT = re.compile(r"[0-9]{1,5}")
_MAX_NAME = 253


def fault_of(entry: str, *, local: bool) -> str:
    """Return what an entry of `hosts` has to be and is not; empty if it is right. `local` is `allowLocalNetwork`."""
    if "://" in entry or "/" in entry or "?" in entry or "#" in entry or "@" in entry:
        return "a bare host name, without scheme, path or user"
    if "*" in entry:
        return "a host name without wildcards"
    name, port = _split(entry)
    if port is not None and not (_PORT.fullmatch(port) and 1 <= int(port) <= 65535):
        return "a port between 1 and 65535"
    name = name.lower().removesuffix(".")
    if name == "localhost" or name.endswith(".localhost") or _is_address(name):
        return "" if local else "a name: addresses and localhost need allowLocalNetwork"
    if not name.isascii():
        return "an internationalized name in its xn-- form"
    if len(name) > _MAX_NAME or not all(_LABEL.fullmatch(label) for label in name.split(".")):
        return "a host name"
    return ""


def _split(entry: str) -> tuple[str, str | None]:
    if entry.startswith("["):
        name, _, rest = entry[1:].partition("]")
        return name, rest[1:] if rest.startswith(":") else (rest or None)
    if entry.count(":") > 1:
        return entry, None
    name, colon, port = entry.partition(":")
    return name, port if colon else None


def _is_address(name: str) -> bool:
    """Tell addresses in every spelling, including numbers alone, which resolvers take for IPv4."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        last = name.rpartition(".")[2]
        return last.isdecimal() or bool(re.fullmatch(r"0x[0-9a-f]*", last))
    return True
