"""Home: the installed gems, those that the user pinned first, and what waits for the user over all conversations."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.flat_text import flattened
from notochord.core.observable import Observable, ObservableList
from notochord.core.strict_json import Json
from notochord.core.tasks import Lifetime
from notochord.services.settings.api import Setting, SettingChanged
from notochord.viewmodels.gem.lengths import NAME, TEXT
from notochord.viewmodels.shell.attention import Attention, Waiting
from notochord.viewmodels.shell.navigation import Navigation, Page

if TYPE_CHECKING:  # loaded in `start`: the window is painted before
    from notochord.services.approvals.api import Approvals
    from notochord.services.gems.api import Dossiers, Gem, Gems
    from notochord.services.settings.api import Settings
    from notochord.viewmodels.gem.needs import SetupCheck

READY = "ready"
OFFICIAL = "official"
"""A value of `Trust`."""
BY = "window"
PINNED: Setting[list[Json]] = Setting("home.pinned_gems", [])
"""The ids of the gems that stand first, in their order."""

_OF_AGENTS = "agents.model.gem."


class Reading(StrEnum):
    """How far the list of gems is."""

    LOADING = "loading"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class GemRow:
    """A gem. `problem` is the code of what keeps it from working, "" if it works; `needs_setup` that its user has
    still to choose something; `update` the version that can be had instead of this one, "" for none."""

    id: str
    name: str
    version: str
    description: str
    trust: str = ""
    problem: str = ""
    needs_setup: bool = False
    pinned: bool = False
    update: str = ""


@dataclass(frozen=True, slots=True)
class OfferedGem:
    """A gem that came with the program and is not installed."""

    gem: GemRow
    package: Path


class HomeModel:
    """Follows installations and removals; `attention` is the window's and is started by it.

    `bundled` are the packages that came with the program; those that are not installed are offered. With `has_store`
    the way to the store stands before the gems.
    """

    def __init__(
        self, *, gems: "Gems", dossiers: "Dossiers", check: "SetupCheck", settings: "Settings",
        approvals: "Approvals", events: EventBus, attention: Attention, navigation: Navigation,
        bundled: Sequence[Path] = (), has_store: bool = False,
    ) -> None:  # fmt: skip
        self.gems: ObservableList[GemRow] = ObservableList()
        self.offered: ObservableList[OfferedGem] = ObservableList()
        self.installing: Observable[frozenset[str]] = Observable(frozenset())
        """The gems, and the files, that are being installed."""

        self.reading: Observable[Reading] = Observable(Reading.LOADING)
        self.failure: Observable[NotochordError | None] = Observable(None)
        self.updates: Observable[Mapping[str, str]] = Observable({})
        """Which gems could be had in which later version; whoever knows sets it, and it is marked on the gems."""

        self.has_store = has_store
        self.waiting = attention.waiting
        self.model_connected = navigation.model_connected
        self._gems_door = gems
        self._dossiers = dossiers
        self._check = check
        self._settings = settings
        self._bundled = tuple(bundled)
        self._approvals = approvals
        self._events = events
        self._navigation = navigation
        self._lifetime = Lifetime("home")
        self._in_turn = asyncio.Lock()
        self._watched: list[Unsubscribe] = []

    async def start(self) -> None:
        """Read the gems and follow them from here on; a failure is shown in `failure`."""
        self._watched = [self._events.subscribe(kind, self._happened) for kind in _followed()]
        self._watched.append(self.updates.watch(lambda _: self._again()))
        await self.read()

    async def close(self) -> None:
        """Follow nothing any more."""
        for unsubscribe in self._watched:
            unsubscribe()
        await self._lifetime.close()

    async def read(self) -> None:
        """Read the gems, as after a failure; gems that stand there already stay until then."""
        async with self._in_turn:  # one after the other: what is read last is shown last
            await self._read()

    async def _read(self) -> None:
        try:
            found = await self._installed()
            offered = await self._offers({gem.id for gem in found})
        except NotochordError as error:
            self.failure.set(error)
            self.reading.set(Reading.FAILED)
            return
        pinned = self._pinned()
        self.gems.reset(sorted(found, key=lambda gem: (_place_of(gem.id, pinned), gem.name.casefold(), gem.id)))
        self.offered.reset(offered)
        self.failure.set(None)
        self.reading.set(Reading.DONE)

    async def install(self, offer: OfferedGem) -> None:
        """Install a gem that came with the program, and open its page (GEMUI-009). Raises as `Gems.install`.

        Asking again while it goes on does nothing.
        """
        await self._install(offer.gem.id, offer.package)

    async def install_file(self, file: Path) -> None:
        """Install a signed package from a file, and open its page. Raises as `Gems.install`."""
        await self._install(str(file), file)

    async def pin(self, gem: str, *, pinned: bool) -> None:
        """Let a gem stand among the first, as the last of them, or no longer."""
        others: list[Json] = [one for one in self._pinned() if one != gem]
        await self._settings.change(PINNED, [*others, gem] if pinned else others)

    def open_gem(self, gem: str) -> None:
        """Go to the page of a gem (HOME-006)."""
        self._navigation.go(Page.GEM, gem)

    def open_store(self) -> None:
        """Go to the store (HOME-005)."""
        self._navigation.go(Page.STORE)

    def open_waiting(self, waiting: Waiting) -> None:
        """Go to where it is answered."""
        if waiting.chat:
            self._navigation.go(Page.CHAT, waiting.chat)

    async def decide(self, waiting: Waiting, approve: bool) -> None:
        """Answer a question that belongs to no conversation. Raises APPROVAL_DECIDED, APPROVAL_UNKNOWN."""
        await self._approvals.decide(waiting.approval, approve=approve, by=BY)

    def connect_model(self) -> None:
        """Go to the page that connects a model."""
        self._navigation.go(Page.CONNECT_MODEL)

    def new_chat(self) -> None:
        """Go to an empty conversation."""
        self._navigation.go(Page.CHAT)

    async def _install(self, name: str, package: Path) -> None:
        if name in self.installing.value:
            return
        self.installing.set(self.installing.value | {name})
        try:
            gem = await self._gems_door.install(package)
        finally:
            self.installing.set(self.installing.value - {name})
        self.open_gem(gem.id)

    async def _installed(self) -> list[GemRow]:
        pinned, updates = self._pinned(), self.updates.value
        return [
            _row(
                dossier.gem,
                needs_setup=bool(await self._check.needs(dossier)),
                pinned=dossier.gem.id in pinned,
                update=updates.get(dossier.gem.id, ""),
            )
            for dossier in await self._dossiers.all()
        ]

    async def _offers(self, installed: set[str]) -> list[OfferedGem]:
        checked = [OfferedGem(_row(await self._gems_door.check(package)), package) for package in self._bundled]
        return [offer for offer in checked if offer.gem.id not in installed]

    def _pinned(self) -> list[str]:
        return [gem for gem in self._settings.current(PINNED) if isinstance(gem, str)]

    def _happened(self, event: object) -> None:
        if isinstance(event, SettingChanged) and event.name != PINNED.name and not event.name.startswith(_OF_AGENTS):
            return
        self._again()

    def _again(self) -> None:
        with suppress(RuntimeError):  # closed in between
            _ = self._lifetime.start("read gems", self.read())


def _followed() -> Sequence[type[Any]]:
    """Return the events that may change what is shown."""
    from notochord.services.gems.api import AccountChosen, GemChanged, GemInstalled, GemRemoved, GemRightsChanged
    from notochord.services.models.api import RolesChanged
    from notochord.services.vault.api import ConnectionsChanged

    about_gems = (GemInstalled, GemRemoved, GemChanged, GemRightsChanged, AccountChosen)
    return (*about_gems, ConnectionsChanged, RolesChanged, SettingChanged)


def _place_of(gem: str, pinned: Sequence[str]) -> int:
    return pinned.index(gem) if gem in pinned else len(pinned)


def _row(gem: "Gem", *, needs_setup: bool = False, pinned: bool = False, update: str = "") -> GemRow:
    return GemRow(
        id=gem.id,
        name=flattened(gem.name, NAME) or gem.id,
        version=flattened(gem.version, NAME),
        description=flattened(gem.description, TEXT),
        trust="" if gem.trust == OFFICIAL else gem.trust.value,
        problem="" if gem.state == READY else gem.state,
        needs_setup=needs_setup,
        pinned=pinned,
        update=update,
    )
