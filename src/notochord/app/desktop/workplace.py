"""The shell of one organization with its pages: shown while the services are being opened, alive once they are."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.app.desktop.later import later_services
from notochord.app.desktop.moves import Move
from notochord.app.desktop.pages import PageMaker, page_makers
from notochord.app.desktop.preferences import Preferences
from notochord.app.desktop.screens import Screens
from notochord.app.desktop.stage import Stage
from notochord.core.paths import shipped
from notochord.ui.home.page import HomePage
from notochord.ui.kit.kit import Kit
from notochord.ui.shell.shell import Shell
from notochord.ui.start.opening import Opening
from notochord.viewmodels.home.model import HomeModel
from notochord.viewmodels.shell.attention import Attention, Summons
from notochord.viewmodels.shell.chat_entry import ChatEntry
from notochord.viewmodels.shell.navigation import Navigation, Page
from notochord.viewmodels.shell.palette import ChatsInPalette, GemsInPalette, Palette
from notochord.viewmodels.start.connection import ModelConnection

if TYPE_CHECKING:
    from notochord.headless.services import Services


class Starting(Protocol):
    """A view-model that follows the services from `start` to `close`."""

    async def start(self) -> None: ...

    async def close(self) -> None: ...


class Workplace:
    """Home stands there at once, loading; every other page is built when it is visited and the services are there."""

    def __init__(self, stage: Stage, put: Callable[[Move], None]) -> None:
        self._stage = stage
        self._screens = Screens()
        self._opened: asyncio.Future[Services] = asyncio.get_running_loop().create_future()
        self.services = later_services(self._opened)
        self.kit = stage.kit
        self.navigation = Navigation()
        self.put = put
        self._connection = self._own(
            ModelConnection(models=self.services.models, events=self.services.events, navigation=self.navigation)
        )
        self._preferences = self._own(
            Preferences(stage=stage, settings=self.services.settings, events=self.services.events)
        )
        self._attention = self._own(self._attention_of(stage))
        self._home = self._own(
            HomeModel(
                gems=self.services.gems,
                approvals=self.services.approvals,
                events=self.services.events,
                attention=self._attention,
                navigation=self.navigation,
                bundled=sorted((shipped("resources") / "gems").glob("*.gem")),
            )
        )
        self.shell = self._shell()

    @property
    def screens(self) -> Screens:
        return self._screens

    async def begin(self, services: "Services", *, after_setup: bool) -> None:
        """Come to life on the open services; without a model it goes to connecting one (SETUP-044).

        `after_setup`: Home stays in any case (SETUP-043).
        """
        self._opened.set_result(services)
        await self._preferences.start()
        await self._connection.start()
        if not after_setup and not self.navigation.model_connected.value:
            self.navigation.go(Page.CONNECT_MODEL)
        for name, model in (("what waits", self._attention), ("gems", self._home)):
            self.start(self.shell, name, model)

    def start(self, view: QWidget, name: str, model: Starting) -> None:
        """Start a view-model for a view; what fails is told by the window."""
        self.kit.runner.run(view, f"read {name}", model.start())

    async def close(self) -> None:
        """Close every view-model; what still waits for the services waits no more."""
        self._stage.active = lambda _: None
        await self._screens.close()
        if not self._opened.done():
            self._opened.cancel()

    def _own(self, model: Any) -> Any:
        self._screens.own(model)
        return model

    def _attention_of(self, stage: Stage) -> Attention:
        attention = Attention(
            chats=self.services.chats,
            approvals=self.services.approvals,
            settings=self.services.settings,
            events=self.services.events,
            navigation=self.navigation,
            summon=_unheard,
        )
        stage.active = attention.window_active.set
        return attention

    def _shell(self) -> Shell:
        kit, doors = self.kit, self.services
        makers = page_makers(self)
        pages: dict[Page, Callable[[], QWidget]] = {Page.HOME: lambda: HomePage(kit, self._home)}
        for page, make in makers.items():
            pages[page] = partial(LaterPage, kit, self._opened, make)
        chats = ChatsInPalette(kit.sentences, self.navigation, doors.chats)
        return Shell(
            kit,
            self.navigation,
            pages,
            attention=self._attention,
            chat_entry=ChatEntry(chats=doors.chats, navigation=self.navigation),
            palette=Palette((chats, GemsInPalette(self.navigation, doors.gems))),
        )


class LaterPage(QWidget):
    """A page that was visited before the services were there is built when they are."""

    def __init__(self, kit: Kit, opened: "asyncio.Future[Services]", make: PageMaker) -> None:
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
        self.setFocusProxy(page)


async def _wait(opened: "asyncio.Future[Services]") -> None:
    await asyncio.shield(opened)


def _unheard(_: Summons) -> None:
    """Without notifications of the system nobody is called."""
