"""Home: the installed gems by name, and what waits for the user over all conversations."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime
from notochord.viewmodels.shell.attention import Attention, Waiting
from notochord.viewmodels.shell.navigation import Navigation, Page

if TYPE_CHECKING:  # loaded in `start`: the window is painted before
    from notochord.services.approvals.api import Approvals
    from notochord.services.gems.api import Gem, Gems

READY = "ready"
OFFICIAL = "official"
"""A value of `Trust`."""
BY = "window"


class Reading(StrEnum):
    """How far the list of gems is."""

    LOADING = "loading"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ToolLine:
    """A tool of a gem; `for_assistant` is false for one that only the gem itself uses."""

    name: str
    description: str
    for_assistant: bool


@dataclass(frozen=True, slots=True)
class GemRow:
    """An installed gem. `problem` is the code of what keeps it from working, empty if it works."""

    id: str
    name: str
    version: str
    description: str
    trust: str
    tools: tuple[ToolLine, ...]
    hosts: tuple[str, ...]
    problem: str


@dataclass(frozen=True, slots=True)
class OfferedGem:
    """A gem that came with the program and is not installed."""

    gem: GemRow
    package: Path


class HomeModel:
    """Follows installations and removals; `attention` is the window's and is started by it.

    `bundled` are the packages that came with the program; those that are not installed are offered.
    """

    def __init__(
        self, *, gems: "Gems", approvals: "Approvals", events: EventBus, attention: Attention, navigation: Navigation,
        bundled: Sequence[Path] = (),
    ) -> None:  # fmt: skip
        self.gems: ObservableList[GemRow] = ObservableList()
        self.offered: ObservableList[OfferedGem] = ObservableList()
        self.installing: Observable[frozenset[str]] = Observable(frozenset())
        self.reading: Observable[Reading] = Observable(Reading.LOADING)
        self.failure: Observable[NotochordError | None] = Observable(None)
        self.waiting = attention.waiting
        self.model_connected = navigation.model_connected
        self.place = navigation.place
        self._gems_door = gems
        self._bundled = tuple(bundled)
        self._approvals = approvals
        self._events = events
        self._navigation = navigation
        self._lifetime = Lifetime("home")
        self._watched: list[Unsubscribe] = []

    async def start(self) -> None:
        """Read the gems and follow them from here on; a failure is shown in `failure`."""
        from notochord.services.gems.api import GemInstalled, GemRemoved

        self._watched = [
            self._events.subscribe(GemInstalled, lambda _: self._again()),
            self._events.subscribe(GemRemoved, lambda _: self._again()),
        ]
        await self.read()

    async def close(self) -> None:
        """Follow nothing any more."""
        for unsubscribe in self._watched:
            unsubscribe()
        await self._lifetime.close()

    async def read(self) -> None:
        """Read the gems, as after a failure; gems that stand there already stay until then."""
        try:
            found = await self._gems_door.all()
            offered = await self._offers({gem.id for gem in found})
        except NotochordError as error:
            self.failure.set(error)
            self.reading.set(Reading.FAILED)
            return
        self.gems.reset(sorted(map(_row, found), key=lambda gem: gem.name.casefold()))
        self.offered.reset(offered)
        self.failure.set(None)
        self.reading.set(Reading.DONE)

    async def install(self, offer: OfferedGem) -> None:
        """Install a gem that came with the program; what it may do is asked when it is used. Raises as `Gems.install`.

        Asking again while it goes on does nothing.
        """
        if offer.gem.id in self.installing.value:
            return
        self.installing.set(self.installing.value | {offer.gem.id})
        try:
            await self._gems_door.install(offer.package)
        finally:
            self.installing.set(self.installing.value - {offer.gem.id})

    async def remove(self, gem: GemRow) -> None:
        """Remove a gem with everything that is its own: code, data, key. Raises GEM_UNKNOWN."""
        await self._gems_door.remove(gem.id)

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

    async def _offers(self, installed: set[str]) -> list[OfferedGem]:
        checked = [OfferedGem(_row(await self._gems_door.check(package)), package) for package in self._bundled]
        return [offer for offer in checked if offer.gem.id not in installed]

    def _again(self) -> None:
        _ = self._lifetime.start("read gems", self.read())


def _row(gem: "Gem") -> GemRow:
    tools = tuple(ToolLine(tool.name, tool.description, tool.exposed) for tool in gem.tools)
    trust = "" if gem.trust == OFFICIAL else gem.trust.value
    problem = "" if gem.state == READY else gem.state
    return GemRow(gem.id, gem.name, gem.version, gem.description, trust, tools, gem.hosts, problem)
