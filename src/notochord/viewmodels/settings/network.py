"""Network access: the lists for the outside, for this computer and the internal network, the upstream proxy, and where
the list of the store comes from."""

from dataclasses import dataclass, replace
from enum import StrEnum

import idna

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.observable import Observable, ObservableList
from notochord.services.egress.api import HIDDEN, Egress, NetworkRules, without_password
from notochord.services.egress.api import OutsideMode as OutsideMode
from notochord.services.settings.api import SettingChanged
from notochord.services.store.api import SOURCE, Store
from notochord.viewmodels.settings.pane import SectionModel

RULES = "network.rules"
DIRECT = "direct"


class HostList(StrEnum):
    """The three lists; the two for the outside are both kept when the mode changes (OPEN-106)."""

    BLOCKED = "blocked"
    ALLOWED = "allowed"
    LOCAL = "local"


class ProxyUse(StrEnum):
    """How the outside is reached."""

    SYSTEM = "system"
    DIRECT = "direct"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class ProxyChoice:
    """The proxy as it may be shown: without its password."""

    use: ProxyUse = ProxyUse.SYSTEM
    address: str = ""


class SourceUse(StrEnum):
    """Where the list of the store comes from."""

    USUAL = "usual"
    ADDRESS = "address"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SourceChoice:
    use: SourceUse = SourceUse.USUAL
    address: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an entry was not taken; `instead` is what could be written, `other` the list in which it belongs."""

    error: NotochordError
    instead: str = ""
    other: HostList | None = None


class NetworkModel(SectionModel):
    """Changes are in force at once, also for answers that are still arriving."""

    def __init__(self, *, egress: Egress, store: Store, events: EventBus) -> None:
        super().__init__("network", events, SettingChanged)
        self._egress = egress
        self._store = store
        self.mode: Observable[OutsideMode] = Observable(OutsideMode.BLOCK)
        self.lists: dict[HostList, ObservableList[str]] = {one: ObservableList() for one in HostList}
        self.proxy: Observable[ProxyChoice] = Observable(ProxyChoice())
        self.source: Observable[SourceChoice] = Observable(SourceChoice())

    def concerned(self, event: object) -> bool:
        """Of the settings, only the rules and the store's address matter."""
        return isinstance(event, SettingChanged) and event.name in (RULES, SOURCE.name)

    @property
    def outside(self) -> HostList:
        """The list that the mode makes count."""
        return HostList.ALLOWED if self.mode.value is OutsideMode.ALLOW else HostList.BLOCKED

    async def choose_mode(self, mode: OutsideMode) -> None:
        """Let the outside list be read as a blocklist or as an allowlist."""
        await self._change(replace(self._egress.rules(), outside_mode=mode))

    async def add(self, where: HostList, entry: str) -> Refusal | None:
        """Put an entry into a list; return why not, with what to write instead, if it cannot be used."""
        entry, rules = entry.strip(), self._egress.rules()
        there = _entries(rules, where)
        if not entry or entry.lower() in {one.lower() for one in there}:
            return None
        try:
            await self._change(_with(rules, where, (*there, entry)))
        except NotochordError as error:
            return self._refusal(error, where)
        return None

    async def remove(self, where: HostList, entry: str) -> None:
        """Take an entry out of a list."""
        rules = self._egress.rules()
        await self._change(_with(rules, where, tuple(one for one in _entries(rules, where) if one != entry)))

    async def choose_proxy(self, use: ProxyUse, address: str = "") -> None:
        """Reach the outside through the system's proxy, none, or this one; the shown address again changes nothing.

        Raises NETWORK_RULE_INVALID.
        """
        if use is ProxyUse.ADDRESS and HIDDEN in address:
            return
        proxy = {ProxyUse.SYSTEM: "", ProxyUse.DIRECT: DIRECT, ProxyUse.ADDRESS: address.strip() or " "}[use]
        await self._change(replace(self._egress.rules(), proxy=proxy))

    async def choose_source(self, use: SourceUse, address: str = "") -> None:
        """Take the store's list from the usual address, another, or from nowhere: then only what came with the program
        is listed. Raises INPUT_INVALID for what is no https address."""
        if use is SourceUse.ADDRESS and not address.strip():
            detail = "an address is needed"
            raise NotochordError(Code.INPUT_INVALID, Fault.USER, detail, field="source", why="why.store_address")
        chosen = {SourceUse.USUAL: SOURCE.default, SourceUse.NONE: "", SourceUse.ADDRESS: address}[use]
        await self._store.change_source(chosen)
        self.source.set(_source(self._store.source()))

    async def _load(self) -> None:
        self._show(self._egress.rules())
        self.source.set(_source(self._store.source()))

    async def _change(self, rules: NetworkRules) -> None:
        await self._egress.change_rules(rules)
        self._show(self._egress.rules())

    def _show(self, rules: NetworkRules) -> None:
        for one, shown in self.lists.items():
            shown.reset(_entries(rules, one))
        self.mode.set(rules.outside_mode)
        if rules.proxy in ("", DIRECT):
            self.proxy.set(ProxyChoice(ProxyUse.DIRECT if rules.proxy else ProxyUse.SYSTEM))
        else:
            self.proxy.set(ProxyChoice(ProxyUse.ADDRESS, without_password(rules.proxy)))

    def _refusal(self, error: NotochordError, where: HostList) -> Refusal:
        if error.code == "E_NETWORK_RULE_OTHER_LIST":
            return Refusal(error, other=self.outside if where is HostList.LOCAL else HostList.LOCAL)
        return Refusal(error, instead=str(error.parameters.get("instead", "")))


def as_read(entry: str) -> str:
    """Return an entry as people read it: a name in other letters than Latin ones in those, with what is sent behind."""
    host, colon, port = entry.partition(":")
    labels = host.split(".")
    try:
        readable = ".".join(idna.decode(one) if one.startswith("xn--") else one for one in labels) + colon + port
    except (idna.IDNAError, UnicodeError):
        return entry
    return entry if readable == entry else f"{readable} ({entry})"


def _source(address: str) -> SourceChoice:
    if address == SOURCE.default:
        return SourceChoice()
    return SourceChoice(SourceUse.ADDRESS if address else SourceUse.NONE, address)


def _entries(rules: NetworkRules, where: HostList) -> tuple[str, ...]:
    return {HostList.BLOCKED: rules.blocked, HostList.ALLOWED: rules.allowed, HostList.LOCAL: rules.local}[where]


def _with(rules: NetworkRules, where: HostList, entries: tuple[str, ...]) -> NetworkRules:
    match where:
        case HostList.BLOCKED:
            return replace(rules, blocked=entries)
        case HostList.ALLOWED:
            return replace(rules, allowed=entries)
        case HostList.LOCAL:
            return replace(rules, local=entries)
