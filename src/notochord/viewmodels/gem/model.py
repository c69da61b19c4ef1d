"""The page of a gem: follows the place to a gem and a view of it, and what happens to the gem meanwhile."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from notochord.core.clock import Clock
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime
from notochord.services.gems.api import (
    AccountChosen,
    Dossier,
    Dossiers,
    Gem,
    GemChanged,
    GemInstalled,
    GemRemoved,
    GemRightsChanged,
    Gems,
    KnowledgeFolder,
    Mailbox,
)
from notochord.services.models.api import Models, RolesChanged
from notochord.services.settings.api import SettingChanged, Settings
from notochord.services.store.api import StoreListed
from notochord.services.vault.api import ConnectionsChanged, Vault
from notochord.viewmodels.gem.accounts import GemAccounts, NewAccount
from notochord.viewmodels.gem.assistants import Assistants
from notochord.viewmodels.gem.data import GemDataModel
from notochord.viewmodels.gem.introduction import IntroductionModel
from notochord.viewmodels.gem.needs import Need, SetupCheck, asks_for_folders, connected, needs_of
from notochord.viewmodels.gem.place import GemPlace, View
from notochord.viewmodels.gem.shown import GemShown, shown_of
from notochord.viewmodels.settings.pane import LOADING, READY, Pane, PaneState
from notochord.viewmodels.shell.navigation import Navigation, Page, Place

_ABOUT_GEMS = (AccountChosen, GemChanged, GemInstalled, GemRightsChanged)
_OF_AGENTS = "agents.model.gem."


class Repair(Protocol):
    """Puts the files of a gem back as they were published, from where it came; its data and settings stay."""

    async def available(self, gem: str) -> bool:
        """Tell whether the gem can be had again."""

    async def repair(self, gem: str) -> None:
        """Raises NotochordError."""


class Updates(Protocol):
    """Knows of later versions."""

    async def updates(self) -> Mapping[str, str]:
        """Return the later version of each gem that has one."""

    async def asks_more(self, gem: str) -> bool:
        """Tell whether the later version asks for more than the installed one. Raises NotochordError."""

    async def install(self, gem: str) -> Gem:
        """Update a gem; its data and settings stay. Raises NotochordError."""


@dataclass(frozen=True, slots=True)
class Lost:
    """What a gem has stored and loses with its removal; not `known` if it cannot be looked into. `size` is bytes."""

    known: bool
    records: int = 0
    documents: int = 0
    files: int = 0
    keys: int = 0
    size: int = 0
    uses_knowledge: bool = False


class GemModel:
    """Shows one gem at a time. `repair` is there only where gems can be downloaded again (PKG-085), `updates` where
    later versions can be had.

    `open_page` is called with the gem and the name of one of its pages; without it they are only named.
    """

    def __init__(
        self, *, gems: Gems, dossiers: Dossiers, models: Models, settings: Settings, vault: Vault,
        events: EventBus, navigation: Navigation, clock: Clock, language: str, repair: Repair | None = None,
        updates: Updates | None = None, open_page: Callable[[str, str], None] | None = None,
    ) -> None:  # fmt: skip
        self.clock = clock
        self._gems = gems
        self._dossiers = dossiers
        self._events = events
        self._navigation = navigation
        self._repair = repair
        self._updates = updates
        self.open_page = open_page
        self._check = SetupCheck(gems=gems, models=models, settings=settings, vault=vault)
        self._lifetime = Lifetime("gem page")
        self._reading = asyncio.Lock()
        self._heard: list[Unsubscribe] = []
        self.place: Observable[GemPlace] = Observable(GemPlace(""))
        self.state: Observable[PaneState] = Observable(LOADING)
        self.shown: Observable[GemShown | None] = Observable(None)
        self.needs: ObservableList[Need] = ObservableList()
        self.mailboxes: Observable[tuple[Mailbox, ...]] = Observable(())
        self.folders: Observable[tuple[KnowledgeFolder, ...]] = Observable(())
        """What can be chosen for a permission on chosen folders; none while there is no knowledge base."""

        self.folder_lost: Observable[bool] = Observable(False)
        """The working folder cannot be used any more."""

        self.can_repair: Observable[bool] = Observable(False)
        self.update: Observable[str] = Observable("")
        """The later version that the gem can be updated to, "" for none."""

        self.update_asks_more: Observable[bool] = Observable(False)
        """That version asks for more than the installed one."""

        self.verified: Observable[bool] = Observable(False)
        """The files were just looked at, and are as they were installed."""

        self.accounts = GemAccounts(gems=gems, vault=vault)
        self.assistants = Assistants(models=models, settings=settings)
        self.data = GemDataModel(gems=gems, dossiers=dossiers)
        self.introduction = IntroductionModel(documents=dossiers, language=language)

    async def start(self) -> None:
        """Show the gem that the place names, and follow from here on."""
        kinds = (*_ABOUT_GEMS, GemRemoved, ConnectionsChanged, RolesChanged, SettingChanged, StoreListed)
        self._heard = [self._events.subscribe(kind, self._happened) for kind in kinds]
        self._heard.append(self._navigation.place.watch(self._moved))
        await self._go_to(self._navigation.place.value)

    async def close(self) -> None:
        """Follow nothing any more; an export under way ends."""
        for unsubscribe in self._heard:
            unsubscribe()
        await self._lifetime.close()
        await self.data.close()

    async def load(self) -> None:
        """Read everything again; what was shown stays meanwhile, a failure is told by `state`."""
        async with self._reading:  # one after the other: what is read last is shown last
            await self._load()

    async def _load(self) -> None:
        gem = self.place.value.gem
        if self.state.value.pane is not Pane.READY:
            self.state.set(LOADING)
        try:
            found = await self._dossiers.get(gem)
            await self._show(found)
            await self._show_view(found)
        except NotochordError as error:
            if gem == self.place.value.gem:
                self.state.set(PaneState(Pane.FAILED, error))
            return
        if gem == self.place.value.gem:
            self.state.set(READY)

    async def verify(self) -> None:
        """Read every file of the gem; `verified` tells that they are right, `shown` that they are not."""
        gem = self.place.value.gem
        found = await self._dossiers.verify(gem)
        if gem == self.place.value.gem:
            self.verified.set(not found.changed_file)
            self.shown.set(shown_of(found))

    async def download_again(self) -> None:
        """Put the gem's files back; its data and settings stay (PKG-086, PKG-087)."""
        if self._repair is not None:
            await self._repair.repair(self.place.value.gem)
            await self.load()

    async def update_now(self) -> None:
        """Take the later version; data and settings stay, and new requests are off. Raises as `Updates.install`."""
        if self._updates is not None:
            await self._updates.install(self.place.value.gem)
            await self.load()

    async def allow_knowledge(self, permission: str, *, allowed: bool) -> None:
        """Open a part of the knowledge base to the gem, or close it; in force at its next request."""
        with self._shown_again_if_refused():
            await self._gems.grants.allow_knowledge(self.place.value.gem, permission, allowed=allowed)

    async def choose_folder(self, permission: str, folder: str, *, chosen: bool) -> None:
        """Open a folder to the gem with all below it, or close it; in force at its next request."""
        found = self.shown.value
        before = {one.permission: one.chosen for one in found.knowledge} if found is not None else {}
        now = (
            before.get(permission, frozenset()) | {folder} if chosen else before.get(permission, frozenset()) - {folder}
        )
        with self._shown_again_if_refused():
            await self._gems.grants.choose_collections(self.place.value.gem, permission, now)

    async def choose_mailboxes(self, mailboxes: frozenset[str], *, every: bool) -> None:
        """Say which mailboxes the gem may read; in force at its next request."""
        with self._shown_again_if_refused():
            await self._gems.grants.choose_mailboxes(self.place.value.gem, mailboxes, every=every)

    async def choose_working_folder(self, folder: Path | None) -> None:
        """Say where its SOPs work that start by themselves, None for nowhere. Raises FOLDER_REFUSED."""
        await self._gems.grants.choose_working_folder(self.place.value.gem, folder)

    async def save_account(self, slot: str, account: str) -> None:
        """Let the gem use this account for one that it asks for, "" for none; in force at its next request."""
        await self.accounts.save(slot, account)
        await self.load()

    async def create_account(self, slot: str, new: NewAccount) -> None:
        """Keep a new account and let the gem use it. Raises INPUT_INVALID."""
        await self.accounts.create(slot, new)
        await self.load()

    async def what_is_lost(self) -> Lost:
        """Return what removing the gem destroys."""
        found = self.shown.value
        uses_knowledge = found is not None and bool(found.knowledge)
        try:
            data = await self.data.count(self.place.value.gem)
        except NotochordError:
            return Lost(known=False, uses_knowledge=uses_knowledge)
        records = sum(one.count for one in data.collections)
        return Lost(True, records, data.documents, data.blobs, data.keys, data.folder_size, uses_knowledge)

    async def remove(self) -> None:
        """Remove the gem with everything that is its own, and go Home. Raises GEM_UNKNOWN."""
        await self._gems.remove(self.place.value.gem)

    def go_to(self, view: View) -> None:
        """Show another view of the gem."""
        self._navigation.go(Page.GEM, GemPlace(self.place.value.gem, view).subject)

    def go_home(self) -> None:
        self._navigation.go(Page.HOME)

    async def _go_to(self, place: Place) -> None:
        wanted = GemPlace.of(place.subject)
        if place.page is not Page.GEM or not wanted.gem:
            return
        if wanted.gem != self.place.value.gem:
            self.state.set(LOADING)
            self.shown.set(None)
            self.folder_lost.set(False)
        self.verified.set(False)
        self.place.set(wanted)
        await self.load()

    async def _show(self, found: Dossier) -> None:
        accounts, notices = await self._check.accounts(), await self._check.notices(found)
        mailboxes = await self._gems.grants.mailboxes() if found.rights.reads_mail else ()
        folders = await self._gems.grants.folders() if asks_for_folders(found.rights) else ()
        repairable = self._repair is not None and await self._repair.available(found.gem.id)
        update, more = await self._later(found.gem.id)
        await self.assistants.show(found, notices)
        if found.gem.id != self.place.value.gem:
            return
        self.accounts.show(found, accounts)
        self.mailboxes.set(mailboxes)
        self.folders.set(folders)
        self.can_repair.set(repairable)
        self.update_asks_more.set(more)
        self.update.set(update)
        self.needs.reset(needs_of(found, connected(accounts), notices, folders))
        if found.changed_file:
            self.verified.set(False)
        self.shown.set(shown_of(found))
        if found.rights.works_alone:
            lost = await self._gems.grants.working_folder_lost(found.gem.id)
            self.folder_lost.set(lost and found.gem.id == self.place.value.gem)

    async def _later(self, gem: str) -> tuple[str, bool]:
        """Return the later version, "" for none, and whether it asks for more."""
        version = (await self._updates.updates()).get(gem, "") if self._updates is not None else ""
        return version, self._updates is not None and bool(version) and await self._updates.asks_more(gem)

    async def _show_view(self, found: Dossier) -> None:
        match self.place.value.view:
            case View.DATA:
                await self.data.load(found.gem.id)
            case View.INTRODUCTION:
                await self.introduction.load(found)
            case View.MAIN:
                pass

    @contextmanager
    def _shown_again_if_refused(self) -> Iterator[None]:
        """Let switches stand as they are in truth after a failure."""
        try:
            yield
        except NotochordError:
            found = self.shown.value
            self.shown.set(None)
            self.shown.set(found)
            raise

    def _moved(self, place: Place) -> None:
        with suppress(RuntimeError):  # closed in between
            _ = self._lifetime.start("go to a gem", self._go_to(place))

    def _happened(self, event: object) -> None:
        gem = self.place.value.gem
        if isinstance(event, GemRemoved):
            if event.gem == gem and self._navigation.place.value.page is Page.GEM:
                self.go_home()
            return
        if isinstance(event, SettingChanged) and not event.name.startswith(_OF_AGENTS):
            return
        if gem and (not isinstance(event, _ABOUT_GEMS) or event.gem == gem):
            with suppress(RuntimeError):  # closed in between
                _ = self._lifetime.start("read a gem", self.load())
