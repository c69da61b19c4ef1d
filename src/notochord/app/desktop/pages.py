"""Which page is built how, at its first visit. What a page needs is imported then."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from notochord.app.desktop.moves import Move, OpenOrganization, SpeakLanguage
from notochord.app.desktop.screens import Screens
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.shell.navigation import Navigation, Page, Place

if TYPE_CHECKING:
    from notochord.headless.services import Services
    from notochord.services.organizations.api import Organizations
    from notochord.viewmodels.chat.desk import ChatDesk
    from notochord.viewmodels.settings.accounts import AccountsModel
    from notochord.viewmodels.settings.organizations import OrganizationsModel
    from notochord.viewmodels.settings.page import Sections
    from notochord.viewmodels.settings.system import SystemModel

PageMaker = Callable[[], QWidget]

MODEL_FILES = "providers"
"""The section of the settings in which model files of this computer are chosen."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What pages stand on once the organization is open. `put` asks the session for something."""

    kit: Kit
    navigation: Navigation
    services: "Services"
    organizations: "Organizations"
    desk: "ChatDesk"
    screens: Screens
    put: Callable[[Move], None]


def page_makers(ground: Callable[[], Ground]) -> Mapping[Page, PageMaker]:
    """Return what makes each page but Home; `ground` is asked when a page is made."""
    return {
        Page.STORE: lambda: _store(ground()),
        Page.GEM: lambda: _gem(ground()),
        Page.CHAT: lambda: _chat(ground()),
        Page.SETTINGS: lambda: _settings(ground()),
        Page.CONNECT_MODEL: lambda: _connect_model(ground()),
        Page.GEM_PAGE: lambda: _gem_page(ground()),
    }


def chat_list(ground: Ground) -> QWidget:
    """Return the list of conversations in the widened sidebar."""
    from notochord.ui.chat.chat_list import ChatListView

    return ChatListView(ground.kit, ground.desk.list, ground.navigation)


def _chat(ground: Ground) -> QWidget:
    from notochord.app.desktop.stage import open_link
    from notochord.ui.chat.page import ChatPage
    from notochord.viewmodels.chat.page import ChatPageModel

    model = ChatPageModel(desk=ground.desk, navigation=ground.navigation)
    ground.screens.own(model)
    page = ChatPage(ground.kit, model, open_link)
    ground.kit.runner.run(page, "open the chat page", model.start())
    return page


def _store(ground: Ground) -> QWidget:
    from notochord.app.desktop.stage import open_link
    from notochord.ui.store.page import StorePage
    from notochord.viewmodels.chat.beginning import begin_with
    from notochord.viewmodels.store.model import StoreModel

    async def say(text: str) -> None:
        await begin_with(text, ground.desk, ground.navigation)

    model = StoreModel(
        store=ground.services.store,
        events=ground.services.events,
        navigation=ground.navigation,
        language=ground.kit.sentences.language,
        say=say,
    )
    ground.screens.own(model)
    page = StorePage(ground.kit, model, open_link)
    ground.kit.runner.run(page, "open the store", model.start())
    return page


def _gem_page(ground: Ground) -> QWidget:
    from notochord.app.desktop.gem_pages import gem_page_place

    return gem_page_place(ground)


def _gem(ground: Ground) -> QWidget:
    from notochord.app.desktop.stage import open_link
    from notochord.ui.gem.page import GemPage
    from notochord.viewmodels.gem.model import GemModel
    from notochord.viewmodels.gem_page.place import subject_of

    services = ground.services
    model = GemModel(
        gems=services.gems,
        dossiers=services.dossiers,
        models=services.models,
        settings=services.settings,
        vault=services.vault,
        events=services.events,
        navigation=ground.navigation,
        clock=services.clock,
        language=ground.kit.sentences.language,
        repair=services.store,
        updates=services.store,
        open_page=lambda gem, page: ground.navigation.go(Page.GEM_PAGE, subject_of(gem, page)),
    )
    ground.screens.own(model)
    page = GemPage(ground.kit, model, open_link)
    ground.kit.runner.run(page, "open the page of a gem", model.start())
    return page


def _connect_model(ground: Ground) -> QWidget:
    from notochord.ui.start.connect_view import ConnectView
    from notochord.viewmodels.settings.providers import ProvidersModel
    from notochord.viewmodels.start.connect import ConnectModel

    services, navigation = ground.services, ground.navigation
    providers = ProvidersModel(models=services.models, settings=services.settings, events=services.events)
    ground.screens.own(providers)
    model = ConnectModel(
        providers=providers,
        leave=lambda: navigation.go(Page.HOME),
        settings=lambda: navigation.go(Page.SETTINGS, MODEL_FILES),
    )
    view = ConnectView(ground.kit, model)
    ground.kit.runner.run(view, "look for models", model.start())
    return view


def _settings(ground: Ground) -> QWidget:
    from notochord.ui.settings.page import SettingsPage
    from notochord.viewmodels.settings.page import SettingsModel

    model = SettingsModel(sentences=ground.kit.sentences, navigation=ground.navigation, sections=_sections(ground))
    ground.screens.own(model)
    return SettingsPage(ground.kit, model)


def _sections(ground: Ground) -> "Sections":
    from notochord.viewmodels.settings.agents import AgentsModel
    from notochord.viewmodels.settings.developers import DevelopersModel
    from notochord.viewmodels.settings.network import NetworkModel
    from notochord.viewmodels.settings.page import Sections
    from notochord.viewmodels.settings.providers import ProvidersModel
    from notochord.viewmodels.settings.roles import RolesModel
    from notochord.viewmodels.settings.statistics import StatisticsModel

    models, settings, events = ground.services.models, ground.services.settings, ground.services.events
    return Sections(
        providers=ProvidersModel(models=models, settings=settings, events=events),
        roles=RolesModel(models=models, settings=settings, events=events),
        agents=AgentsModel(models=models, settings=settings, events=events, gems=ground.services.gems),
        system=_system(ground),
        network=NetworkModel(egress=ground.services.egress, store=ground.services.store, events=events),
        accounts=_accounts(ground),
        developers=DevelopersModel(
            developers=ground.services.developers, dossiers=ground.services.dossiers, events=events
        ),
        organization=_organization(ground),
        statistics=StatisticsModel(usage=ground.services.usage, clock=ground.services.clock, events=events),
    )


def _accounts(ground: Ground) -> "AccountsModel":
    from notochord.qt_adapters.opening import DesktopOpening
    from notochord.services.organizations.api import KeyPlace
    from notochord.viewmodels.settings.accounts import AccountsModel

    services = ground.services
    return AccountsModel(
        accounts=services.accounts,
        grants=services.grants,
        gems=services.gems,
        models=services.models,
        events=services.events,
        sentences=ground.kit.sentences,
        show=DesktopOpening().open_link,
        encrypted=services.unlocked.organization.key_place is not KeyPlace.FILE,
    )


def _system(ground: Ground) -> "SystemModel":
    from notochord.adapters.startup.system import start_at_login
    from notochord.viewmodels.settings.page import Section
    from notochord.viewmodels.settings.system import SystemModel

    command = (sys.executable, "-m", "notochord", "desktop")
    return SystemModel(
        settings=ground.services.settings,
        organizations=ground.organizations,
        organization=ground.services.unlocked.organization.id,
        startup=start_at_login(command, os.environ, Path.home()),
        speak=lambda language: ground.put(SpeakLanguage(language, place=Place(Page.SETTINGS, Section.SYSTEM))),
        has_tray=QSystemTrayIcon.isSystemTrayAvailable,
        events=ground.services.events,
    )


def _organization(ground: Ground) -> "OrganizationsModel":
    from notochord.qt_adapters.opening import DesktopOpening
    from notochord.viewmodels.settings.organizations import OrganizationsModel

    opening = DesktopOpening()

    def open_folder(folder: Path) -> None:
        opening.show_folder(folder)

    unlocked = ground.services.unlocked
    return OrganizationsModel(
        organizations=ground.organizations,
        chats=ground.services.chats,
        current=unlocked.organization.id,
        folder=unlocked.folder.folder,
        switch=lambda organization: ground.put(OpenOrganization(organization)),
        open_folder=open_folder,
        events=ground.services.events,
    )
