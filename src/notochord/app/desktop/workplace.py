"""The shell of one organization with its pages: shown while the services are being opened, alive once they are.

What only a living one needs is imported when the services are open.
"""

import asyncio
import gc
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.app.desktop.deferred_services import deferred_services
from notochord.app.desktop.moves import Move
from notochord.app.desktop.pages import Ground, PageMaker, chat_list, page_makers
from notochord.app.desktop.screens import Screens
from notochord.app.desktop.stage import Stage
from notochord.core.paths import shipped
from notochord.ui.home.page import HomePage
from notochord.ui.kit.brought import gem_name, gem_said
from notochord.ui.kit.controls.lead import Lead
from notochord.ui.kit.kit import Kit
from notochord.ui.shell.shell import Shell
from notochord.ui.start.opening import Opening
from notochord.viewmodels.gem.needs import SetupCheck
from notochord.viewmodels.home.model import OFFICIAL, HomeModel
from notochord.viewmodels.shell.attention import Attention, Summons
from notochord.viewmodels.shell.chat_entry import ChatEntry
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.shell.palette import (
    ChatsInPalette,
    GemsInPalette,
    MessagesInPalette,
    Palette,
    SectionsInPalette,
)
from notochord.viewmodels.shell.text_size import TextSize
from notochord.viewmodels.start.connection import ModelConnection
from notochord.viewmodels.store.updates import StoreUpdates

if TYPE_CHECKING:
    from notochord.app.desktop.lasting_desk import LastingDesk
    from notochord.headless.services import Services
    from notochord.services.gems.api import Gem
    from notochord.services.organizations.api import Organizations


class Workplace:
    """Home stands there at once, loading; every other page is built when it is visited and the services are there.

    `at` is the place to begin at, Home without one; `put` asks the session for something, `end` ends the program.
    """

    def __init__(
        self, stage: Stage, put: Callable[[Move], None], end: Callable[[], None], at: Place | None = None
    ) -> None:
        self.kit = stage.kit
        self.put = put
        self.navigation = Navigation(at)
        self._stage = stage
        self._end = end
        self._summon: Callable[[Summons], None] = _unheard
        self._screens = Screens()
        self._opened: asyncio.Future[Ground] = asyncio.get_running_loop().create_future()
        self._doors = deferred_services(self._opened)
        doors, navigation = self._doors, self.navigation
        self._connection = ModelConnection(models=doors.models, events=doors.events, navigation=navigation)
        self._attention = Attention(
            chats=doors.chats,
            approvals=doors.approvals,
            settings=doors.settings,
            events=doors.events,
            navigation=navigation,
            summon=lambda summons: self._summon(summons),
        )
        self._home = HomeModel(
            gems=doors.gems,
            dossiers=doors.dossiers,
            check=SetupCheck(gems=doors.gems, models=doors.models, settings=doors.settings, vault=doors.vault),
            settings=doors.settings,
            approvals=doors.approvals,
            events=doors.events,
            attention=self._attention,
            navigation=navigation,
            bundled=sorted((shipped("resources") / "gems").glob("*.gem")),
            has_store=True,
        )
        self._updates = StoreUpdates(
            store=doors.store, events=doors.events, clock=doors.clock, tell=self._home.updates.set
        )
        for model in (self._connection, self._attention, self._home, self._updates):
            self._screens.own(model)
        stage.active = self._attention.window_active.set
        self.shell = self._shell()

    async def begin(
        self, services: "Services", organizations: "Organizations", desk: "LastingDesk", *, after_setup: bool
    ) -> None:
        """Come to life on the open services; without a model it goes to connecting one (SETUP-044).

        `after_setup`: Home stays in any case (SETUP-043).
        """
        from notochord.app.desktop.preferences import Preferences

        preferences = Preferences(stage=self._stage, settings=services.settings, events=services.events)
        self._screens.own(preferences)
        ground = Ground(
            kit=self.kit,
            navigation=self.navigation,
            services=services,
            organizations=organizations,
            desk=await desk.of(services),
            screens=self._screens,
            put=self.put,
        )
        self._opened.set_result(ground)
        await preferences.start()
        self._be_present(services)
        await self._connection.start()
        if not after_setup and not self.navigation.model_connected.value:
            self.navigation.go(Page.CONNECT_MODEL)
        for name, model in (
            ("what waits", self._attention),
            ("gems", self._home),
            ("updates", self._updates),
            ("chats", desk),
        ):
            self.kit.runner.run(self.shell, f"read {name}", model.start())
        # What is loaded by now stays as long as the program: left out, a full collection stalls the window no more.
        gc.freeze()

    def _be_present(self, services: "Services") -> None:
        """Stand in the tray, and call the user from there."""
        from notochord.app.desktop.presence import Presence
        from notochord.qt_adapters.tray import Tray
        from notochord.ui.kit.icons import icon

        window = self._stage.window
        if window is None:
            return
        picture = icon("notochord", self.kit.theme.colours.accent, 64)
        presence = Presence(
            kit=self.kit,
            window=window,
            tray=Tray(picture, self.kit.text("window.shell.title")),
            settings=services.settings,
            events=services.events,
            navigation=self.navigation,
            chat_entry=ChatEntry(chats=services.chats, navigation=self.navigation),
            end=self._end,
        )
        self._screens.own(presence)
        presence.follow(self._attention)
        self._summon = presence.summon

    async def close(self) -> None:
        """Close every view-model; what still waits for the services waits no more."""
        self._stage.active = lambda _: None
        await self._screens.close()
        if not self._opened.done():
            self._opened.cancel()

    def _shell(self) -> Shell:
        kit, doors, navigation = self.kit, self._doors, self.navigation
        later = partial(LaterPage, kit, self._opened)
        pages: dict[Page, Callable[[], QWidget]] = {Page.HOME: lambda: HomePage(kit, self._home)}
        pages |= {page: partial(later, make) for page, make in page_makers(self._opened.result).items()}
        in_palette = (
            ChatsInPalette(kit.sentences, navigation, doors.chats),
            GemsInPalette(navigation, doors.gems, partial(_told_of, kit)),
            SectionsInPalette(kit.sentences, navigation, _sections),
        )
        return Shell(
            kit,
            navigation,
            pages,
            attention=self._attention,
            chat_entry=ChatEntry(chats=doors.chats, navigation=navigation),
            palette=Palette(in_palette, texts=MessagesInPalette(kit.sentences, navigation, doors.chats)),
            text_size=TextSize(settings=doors.settings, opened=partial(_wait, self._opened)),
            quit_program=self._end,
            chat_list=partial(later, lambda: chat_list(self._opened.result())),
        )


def _told_of(kit: Kit, gem: "Gem") -> tuple[str, str]:
    """Return the name and the description of an installed gem in the window's language."""
    official = gem.trust == OFFICIAL
    name = gem_name(kit, gem.id, gem.name, official=official)
    return name, gem_said(kit, gem.id, gem.description, official=official)


class LaterPage(Lead):
    """A page that was visited before the services were there is built when they are."""

    def __init__(self, kit: Kit, opened: "asyncio.Future[Ground]", make: PageMaker) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._make = make
        if opened.done():
            self._build()
        else:
            self._waiting = Opening(kit)
            self._column.addWidget(self._waiting)
            kit.runner.run(self, "wait for the services", _wait(opened), done=lambda _: self._build())

    def _build(self) -> None:
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        page = self._make()
        self._column.addWidget(page)
        self.lead_to(page)


async def _wait(opened: "asyncio.Future[Ground]") -> None:
    await asyncio.shield(opened)


def _sections() -> Sequence[tuple[str, str]]:
    from notochord.viewmodels.settings.page import SECTION_TITLES

    return SECTION_TITLES


def _unheard(_: Summons) -> None:
    """Before the services are open nobody is called."""
