"""Builds the shell of an open organization, and each page at its first visit."""

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QWidget

from notochord.app.desktop.moves import Move
from notochord.app.desktop.screens import Screens
from notochord.app.desktop.stage import Stage
from notochord.headless.services import Services
from notochord.ui.kit.kit import Kit
from notochord.ui.shell.shell import Shell
from notochord.ui.start.connect_view import ConnectView
from notochord.viewmodels.settings.providers import ProvidersModel
from notochord.viewmodels.shell.attention import Attention, Summons
from notochord.viewmodels.shell.chat_entry import ChatEntry
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.shell.palette import ChatsInPalette, GemsInPalette, Palette
from notochord.viewmodels.start.connect import ConnectModel
from notochord.viewmodels.start.connection import ModelConnection

PageFactory = Callable[[], QWidget]


async def open_shell(
    stage: Stage, services: Services, screens: Screens, put: Callable[[Move], None], *, after_setup: bool
) -> Shell:
    """Build what the window shows of an open organization; without a model it begins with connecting one (SETUP-044).

    `after_setup`: Home comes first in any case (SETUP-043).
    """
    navigation = Navigation()
    connection = ModelConnection(models=services.models, events=services.events, navigation=navigation)
    screens.own(connection)
    await connection.start()
    if not after_setup and not navigation.model_connected.value:
        navigation.go(Page.CONNECT_MODEL)
    attention = _attention(stage, services, navigation)
    screens.own(attention)
    kit = stage.kit
    shell = Shell(
        kit,
        navigation,
        pages_of(kit, services, navigation, screens),
        attention=attention,
        chat_entry=ChatEntry(chats=services.chats, navigation=navigation),
        palette=_palette(kit, services, navigation),
    )
    kit.runner.run(shell, "look for what waits", attention.start())
    return shell


def pages_of(kit: Kit, services: Services, navigation: Navigation, screens: Screens) -> Mapping[Page, PageFactory]:
    """Return what makes each page."""

    def connect_model() -> QWidget:
        providers = ProvidersModel(models=services.models, settings=services.settings, events=services.events)
        screens.own(providers)
        model = ConnectModel(
            providers=providers, leave=lambda: navigation.go(Page.HOME), settings=lambda: _local_files(navigation)
        )
        view = ConnectView(kit, model)
        kit.runner.run(view, "look for models", model.start())
        return view

    return {Page.CONNECT_MODEL: connect_model}


def _local_files(navigation: Navigation) -> None:
    navigation.place.set(Place(Page.SETTINGS, "providers"))


def _attention(stage: Stage, services: Services, navigation: Navigation) -> Attention:
    def summon(_: Summons) -> None:
        return

    attention = Attention(
        chats=services.chats,
        approvals=services.approvals,
        settings=services.settings,
        events=services.events,
        navigation=navigation,
        summon=summon,
    )
    stage.active = attention.window_active.set
    return attention


def _palette(kit: Kit, services: Services, navigation: Navigation) -> Palette:
    return Palette(
        (
            ChatsInPalette(kit.sentences, navigation, services.chats),
            GemsInPalette(navigation, services.gems),
        )
    )
