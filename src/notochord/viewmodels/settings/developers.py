"""Gem developers: the keys that the user trusts, whose packages each may sign, and what is installed by whom."""

from dataclasses import dataclass

from notochord.core.events import EventBus
from notochord.core.observable import ObservableList
from notochord.services.gem_developers.api import Developers, DevelopersChanged, TrustedDeveloper
from notochord.services.gems.api import Dossiers, GemInstalled, GemRemoved, Trust
from notochord.viewmodels.settings.pane import SectionModel


@dataclass(frozen=True, slots=True)
class DeveloperRow:
    """A trusted key; `gems` are the ids of installed gems that it speaks for."""

    key: str
    publisher: str
    prefix: str
    added_at: int
    gems: tuple[str, ...] = ()


class DevelopersModel(SectionModel):
    """What is added or removed counts from the next check of a package on."""

    def __init__(self, *, developers: Developers, dossiers: Dossiers, events: EventBus) -> None:
        super().__init__("developers", events, DevelopersChanged, GemInstalled, GemRemoved)
        self._developers = developers
        self._dossiers = dossiers
        self.rows: ObservableList[DeveloperRow] = ObservableList()

    async def add(self, key: str, publisher: str, prefix: str) -> None:
        """Trust a key for a publisher and what its gems' ids begin with, "" for all. Raises INPUT_INVALID."""
        await self._developers.add(key, publisher, prefix)
        await self.load()

    async def remove(self, row: DeveloperRow) -> None:
        """Trust a key no more for what the row says. Raises NOT_FOUND."""
        await self._developers.remove(row.key, row.publisher, row.prefix)
        await self.load()

    async def _load(self) -> None:
        signed = [(one.gem.id, one.publisher) for one in await self._dossiers.all() if one.gem.trust is Trust.DEVELOPER]
        self.rows.reset([_row(one, signed) for one in await self._developers.all()])


def _row(one: TrustedDeveloper, signed: list[tuple[str, str]]) -> DeveloperRow:
    beginnings = ("",) if not one.prefix else (f"{one.prefix}.", f"{one.prefix}-")
    gems = tuple(gem for gem, publisher in signed if publisher == one.publisher and f"{gem}.".startswith(beginnings))
    return DeveloperRow(one.key, one.publisher, one.prefix, one.added_at, gems)
