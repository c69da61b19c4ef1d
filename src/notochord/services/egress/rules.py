"""The user's lists: how an entry is read, what is wrong with a bad one, and what it matches (SET-010 to SET-027)."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.egress.api import HostGrant, NetworkRules, OutsideMode, without_password
from notochord.services.egress.classify import is_local_name, is_this_computer
from notochord.services.egress.hosts import Host, read_host
from notochord.services.egress.proxies import read_proxy
from notochord.services.egress.url import DEFAULT_PORTS, Url
from notochord.services.settings.api import Setting

DEFAULT = NetworkRules(outside_mode=OutsideMode.BLOCK, blocked=(), allowed=(), local=())
SETTING: Setting[dict[str, Json]] = Setting(
    "network.rules", {"outside_mode": "block", "blocked": [], "allowed": [], "local": [], "proxy": ""}
)
DIRECT = "direct"

_MOST_ENTRIES = 10_000
_ENTRY = re.compile(r"(?P<wild>\*\.)?(?P<host>\[[^\]]*\]|[^:\[\]]+)(?::(?P<port>[0-9]{1,5}))?")
_LOOPBACK_TWINS = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a list; `port` None covers every port, `wild` the domain and everything under it."""

    host: Host
    port: int | None = None
    wild: bool = False

    def covers_host(self, host: Host) -> bool:
        if self.wild:
            return host.text == self.host.text or host.text.endswith("." + self.host.text)
        return host.text == self.host.text or (self.host.text == "localhost" and host.text in _LOOPBACK_TWINS)

    def covers(self, url: Url) -> bool:
        return self.covers_host(url.host) and self.port in (None, url.port)


@dataclass(frozen=True, slots=True)
class Rules:
    """The lists, read and ready to be asked."""

    outside_mode: OutsideMode
    blocked: tuple[Entry, ...]
    allowed: tuple[Entry, ...]
    local: tuple[Entry, ...]
    proxy: str

    def outside_is_open(self, url: Url) -> bool:
        if self.outside_mode is OutsideMode.ALLOW:
            return any(entry.covers(url) for entry in self.allowed)
        return not any(entry.covers(url) for entry in self.blocked)

    def local_is_listed(self, url: Url) -> bool:
        return any(entry.covers(url) for entry in self.local)


def read_rules(rules: NetworkRules) -> Rules:
    """Read all entries. Raises NotochordError(NETWORK_RULE_INVALID) naming the first bad one and what to write."""
    for entries in (rules.blocked, rules.allowed, rules.local):
        if len(entries) > _MOST_ENTRIES:
            raise _refused(
                entries[-1], f"a list has at most {_MOST_ENTRIES} entries", "*.example.com", "why.rule_too_many"
            )
    if rules.proxy and rules.proxy != DIRECT:
        _read_setting_proxy(rules.proxy)
    return Rules(
        outside_mode=rules.outside_mode,
        blocked=_read_all(rules.blocked, read_outside_entry),
        allowed=_read_all(rules.allowed, read_outside_entry),
        local=_read_all(rules.local, read_local_entry),
        proxy=rules.proxy,
    )


def read_outside_entry(text: str) -> Entry:
    """Read an entry of the blocklist or allowlist: a host name, `*.example.com` or a public IP address; no port."""
    entry = _read(text, "api.example.com")
    if is_local_name(entry.host):
        raise _other_list(text, "it belongs to this computer or the internal network")
    if entry.port is not None:
        raise _refused(text, "an outside entry has no port", _written(entry), "why.rule_port_outside")
    return entry


def read_local_entry(text: str) -> Entry:
    """Read an entry of the local list: an IP address or a name, with or without port; this computer with port only."""
    entry = _read(text, "nas.local:5000")
    if is_this_computer(entry.host) and entry.port is None:
        raise _refused(
            text, "it would open every program on this computer", f"{entry.host.bracketed}:5173", "why.rule_port_needed"
        )
    if entry.host.address is not None and not is_local_name(entry.host):
        raise _other_list(text, "it is an address of the outside")
    return entry


def read_grant(grant: HostGrant) -> tuple[Entry, ...]:
    """Read what a gem asked for; a host without port means the default port of http and https (PERM-021, PERM-022).

    Raises NotochordError(NETWORK_RULE_INVALID).
    """
    entries = tuple(_read(text, "api.example.com") for text in grant.hosts)
    if any(entry.wild for entry in entries):
        raise _refused("*", "a gem names each host", "api.example.com", "why.rule_wild")
    return entries


def normal_entry(text: str, *, local: bool) -> str:
    """Return an entry as it is kept: lower case, `xn--` labels, no dot at the end. Raises as the readers do."""
    return _written(read_local_entry(text) if local else read_outside_entry(text), port=True)


def normal_rules(rules: NetworkRules) -> NetworkRules:
    """Return the rules with each entry in its normal form, once."""

    def normal(entries: Iterable[str], *, local: bool = False) -> tuple[str, ...]:
        return tuple(dict.fromkeys(normal_entry(entry, local=local) for entry in entries))

    return replace(
        rules, blocked=normal(rules.blocked), allowed=normal(rules.allowed), local=normal(rules.local, local=True)
    )


def grant_covers(entries: Iterable[Entry], url: Url) -> bool:
    """Tell whether a gem asked for exactly this host and port."""
    for entry in entries:
        port = DEFAULT_PORTS[url.scheme] if entry.port is None else entry.port
        if entry.host.text == url.host.text and port == url.port:
            return True
    return False


def to_json(rules: NetworkRules) -> dict[str, Json]:
    """Return the rules as they are stored."""
    return {
        "outside_mode": rules.outside_mode.value,
        "blocked": list(rules.blocked),
        "allowed": list(rules.allowed),
        "local": list(rules.local),
        "proxy": rules.proxy,
    }


def from_json(stored: dict[str, Json]) -> NetworkRules:
    """Return stored rules. Raises NETWORK_RULE_INVALID if they cannot be read: nothing goes out then."""
    proxy = stored.get("proxy", "")
    try:
        mode = OutsideMode(str(stored.get("outside_mode", OutsideMode.BLOCK)))
    except ValueError as error:
        raise _refused(str(stored.get("outside_mode")), "the mode is unknown", "block", "why.rule_stored") from error
    if not isinstance(proxy, str):
        raise _refused("proxy", "it is not text", "direct", "why.rule_stored")
    return NetworkRules(mode, _texts(stored, "blocked"), _texts(stored, "allowed"), _texts(stored, "local"), proxy)


def _texts(stored: dict[str, Json], name: str) -> tuple[str, ...]:
    entries = stored.get(name, [])
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        raise _refused(name, "it is not a list of texts", "api.example.com", "why.rule_stored")
    return tuple(str(entry) for entry in entries)


def _read_all(texts: Iterable[str], read: Callable[[str], Entry]) -> tuple[Entry, ...]:
    return tuple(read(text) for text in texts)


def _read(text: str, sample: str) -> Entry:
    if "://" in text:
        raise _refused(text, "it has a scheme", text.partition("://")[2].partition("/")[0] or sample, "why.rule_scheme")
    if "/" in text or "?" in text or "#" in text or "\\" in text:
        raise _refused(text, "it has a path", re.split(r"[/?#\\]", text)[0] or sample, "why.rule_path")
    shape = _ENTRY.fullmatch(text)
    if shape is None:
        is_bare_ipv6 = text.count(":") > 1 and "[" not in text
        raise _refused(
            text, "it is not a host", f"[{text}]" if is_bare_ipv6 else _meant(text, sample), "why.rule_no_host"
        )
    try:
        host = read_host(shape["host"])
    except NotochordError as error:
        raise _refused(
            text, error.detail, _meant(text, "*.example.com" if "*" in text else sample), "why.rule_no_host"
        ) from error
    entry = Entry(host, int(shape["port"]) if shape["port"] else None, bool(shape["wild"]))
    _check_address(text, shape["host"], entry)
    return entry


def _check_address(text: str, written: str, entry: Entry) -> None:
    if entry.port is not None and not 1 <= entry.port <= 65535:
        raise _refused(text, "a port is a number from 1 to 65535", f"{entry.host.bracketed}:8080", "why.rule_port")
    if entry.host.address is None:
        return
    if entry.wild:
        raise _refused(text, "an IP address has nothing under it", entry.host.bracketed, "why.rule_wild_address")
    if entry.host.address.version == 4 and written != entry.host.text:
        raise _refused(
            text, "the IP address is spelled in an unusual way", _written(entry, port=True), "why.rule_spelling"
        )


def _written(entry: Entry, *, port: bool = False) -> str:
    ending = f":{entry.port}" if port and entry.port is not None else ""
    return ("*." if entry.wild else "") + entry.host.bracketed + ending


def _read_setting_proxy(text: str) -> None:
    try:
        read_proxy(text)
    except NotochordError as error:
        raise _refused(
            without_password(text), error.detail, "http://proxy.example.com:3128", "why.rule_proxy"
        ) from error


def _meant(text: str, sample: str) -> str:
    """Return the entry that was probably meant: without a user, blanks around it and doubled dots; else a sample."""
    kept = re.sub(r"\.{2,}", ".", text.strip().rpartition("@")[2])
    kept = re.sub(r"^\*(?=[^.*])", "*.", kept)
    shape = _ENTRY.fullmatch(kept)
    if kept == text or shape is None:
        return sample
    try:
        read_host(shape["host"])
    except NotochordError:
        return sample
    return kept


def _refused(entry: str, reason: str, instead: str, why: str) -> NotochordError:
    detail = f"the network entry {entry!r} is not valid: {reason}; write {instead}"
    return NotochordError(
        Code.NETWORK_RULE_INVALID,
        Fault.USER,
        detail,
        entry=entry[:200],
        instead=instead[:200],
        why=why,
        limit=_MOST_ENTRIES,
    )


def _other_list(entry: str, reason: str) -> NotochordError:
    detail = f"the network entry {entry!r} stands in the wrong list: {reason}"
    return NotochordError(Code.NETWORK_RULE_OTHER_LIST, Fault.USER, detail, entry=entry[:200])
