"""Pictures of the settings: each section in each of its states."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from notochord.ui.gallery.scene import Scene
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.account_scenes import ACCOUNT_SCENES
from notochord.ui.settings.agents_section import AgentsSection
from notochord.ui.settings.developers_section import DeveloperSheet, DevelopersSection
from notochord.ui.settings.network_section import NetworkSection
from notochord.ui.settings.organization_section import OrganizationSection
from notochord.ui.settings.organization_sheets import NameSheet, delete_sheet, switch_sheet
from notochord.ui.settings.page import SettingsPage
from notochord.ui.settings.provider_sheets import ConnectSheet, KeySheet, ModelsSheet
from notochord.ui.settings.providers_section import ProvidersSection
from notochord.ui.settings.removal import consequences
from notochord.ui.settings.roles_section import RolesSection
from notochord.ui.settings.sheet import Confirmation
from notochord.ui.settings.statistics_section import StatisticsSection
from notochord.ui.settings.system_section import SystemSection
from notochord.viewmodels.samples import settings as samples
from notochord.viewmodels.settings.network import HostList
from notochord.viewmodels.settings.page import Section
from notochord.viewmodels.settings.provider_rows import TEMPLATES, Affected
from notochord.viewmodels.settings.providers import ProvidersModel
from notochord.viewmodels.settings.roles import PendingRole

WIDTH, HEIGHT = 860, 760


def _providers(name: str, sample: Callable[[], ProvidersModel]) -> Scene:
    return Scene(f"settings-providers-{name}", lambda kit: ProvidersSection(kit, sample()), WIDTH, HEIGHT)


def _nothing() -> None:
    """Lead nowhere: a picture cannot be pressed."""


def _without_tray(kit: Kit) -> QWidget:
    return SystemSection(kit, samples.system(has_tray=False), _nothing)


def _connect(kit: Kit) -> QWidget:
    sheet = ConnectSheet(kit, samples.providers(), lambda _name, _models: None)
    sheet.key.setText("secret-key")
    return sheet


def _connect_failed(kit: Kit) -> QWidget:
    sheet = ConnectSheet(kit, samples.providers(), lambda _name, _models: None)
    sheet.kind.setCurrentIndex(len(TEMPLATES) - 1)
    sheet.name.setText("Office server")
    sheet.address.setText("http://192.168.1.20:8000")
    sheet.failed(samples.UNREACHABLE)
    return sheet


def _models(kit: Kit) -> QWidget:
    offered = tuple(f"gpt-5{ending}" for ending in ("", "-mini", "-nano", "-codex", "-pro", ".1", ".1-mini"))
    return ModelsSheet(kit, samples.providers(), "OpenAI", ("gpt-5", "gpt-5-mini"), offered)


def _key(kit: Kit) -> QWidget:
    return KeySheet(kit, samples.providers(), "OpenAI", lambda _: None)


def _remove(kit: Kit) -> QWidget:
    affected = Affected(("gpt-5", "gpt-5-mini"), ("chat", "deep"), ("background",))
    return Confirmation(
        kit,
        kit.text("window.settings.providers.remove.title", name="OpenAI"),
        kit.text("window.settings.providers.remove.text", name="OpenAI"),
        accept_text=kit.text("window.settings.remove.now"),
        consequences=consequences(kit, affected),
        command=lambda: samples.providers().remove("OpenAI"),
    )


def _waiting_role(kit: Kit) -> QWidget:
    return RolesSection(kit, samples.roles(PendingRole("Translator to French", "Translating into French.")))


def _store_refused(kit: Kit) -> QWidget:
    section = NetworkSection(kit, samples.network(many=True))
    section.store.address.setText("http://gems.example.com")
    section.store.fail(samples.store_refusal())
    return section


def _network_refused(kit: Kit) -> QWidget:
    section = NetworkSection(kit, samples.network())
    editor = section.editors[HostList.LOCAL]
    editor.field.setText("localhost")
    editor._added(samples.network_refusal())
    return section


def _page(section: Section, words: str = "") -> Callable[[Kit], QWidget]:
    def build(kit: Kit) -> QWidget:
        page = SettingsPage(kit, samples.page(kit.sentences.language, section))
        page.search.setText(words)
        return page

    return build


def _new(kit: Kit) -> QWidget:
    return NameSheet(kit, "new", "", lambda _: samples.organizations().load(), lambda _: None)


def _switch(kit: Kit) -> QWidget:
    stopped = ("Plan the move to Lisbon", "整理发票")
    return switch_sheet(kit, samples.CLIENT, stopped, lambda: samples.organizations().load(), new=False)


def _delete(kit: Kit) -> QWidget:
    sheet = delete_sheet(kit, samples.CLIENT, lambda: samples.organizations().load())
    sheet.typed.setText("Client")
    return sheet


def _distrust(kit: Kit) -> QWidget:
    text, gem = kit.text, "org.anna.receipts"
    return Confirmation(
        kit,
        text("window.settings.developers.remove.title", publisher="anna"),
        text("window.settings.developers.remove.text"),
        accept_text=text("window.settings.developers.remove.now"),
        consequences=(text("window.settings.developers.remove.gem", gem=gem),),
        command=lambda: samples.developers().load(),
    )


def sheet_scene(name: str, build: Callable[[Kit], QWidget], height: int) -> Scene:
    """Return the scene of a small window, which has its own width."""
    return Scene(name, build, 480, height)


SCENES = (
    _providers("normal", samples.providers),
    _providers("empty", samples.providers_empty),
    _providers("at-work", samples.providers_at_work),
    _providers("loading", samples.providers_loading),
    _providers("failed", samples.providers_failed),
    Scene("settings-roles", lambda kit: RolesSection(kit, samples.roles()), WIDTH, HEIGHT),
    Scene("settings-roles-waiting", _waiting_role, WIDTH, HEIGHT),
    Scene("settings-roles-empty", lambda kit: RolesSection(kit, samples.roles_empty()), WIDTH, HEIGHT),
    Scene("settings-agents", lambda kit: AgentsSection(kit, samples.agents()), WIDTH, HEIGHT),
    Scene("settings-system", lambda kit: SystemSection(kit, samples.system(), _nothing), WIDTH, 860),
    Scene("settings-system-no-tray", _without_tray, WIDTH, 860),
    Scene("settings-network-empty", lambda kit: NetworkSection(kit, samples.network()), WIDTH, HEIGHT),
    Scene("settings-network", lambda kit: NetworkSection(kit, samples.network(many=True)), WIDTH, 1280),
    Scene("settings-network-refused", _network_refused, WIDTH, HEIGHT),
    Scene("settings-network-store-refused", _store_refused, WIDTH, 1320),
    *ACCOUNT_SCENES,
    Scene("settings-developers", lambda kit: DevelopersSection(kit, samples.developers()), WIDTH, 460),
    Scene("settings-developers-empty", lambda kit: DevelopersSection(kit, samples.developers(empty=True)), WIDTH, 320),
    sheet_scene("settings-developer-add", lambda kit: DeveloperSheet(kit, samples.developers()), 480),
    sheet_scene("settings-developer-remove", _distrust, 280),
    Scene("settings-organization", lambda kit: OrganizationSection(kit, samples.organizations()), WIDTH, HEIGHT),
    Scene(
        "settings-organization-plain",
        lambda kit: OrganizationSection(kit, samples.organizations(plain=True)),
        WIDTH,
        HEIGHT,
    ),
    Scene("settings-statistics", lambda kit: StatisticsSection(kit, samples.statistics()), WIDTH, HEIGHT),
    Scene("settings-statistics-empty", lambda kit: StatisticsSection(kit, samples.statistics(empty=True)), WIDTH, 420),
    Scene("settings-page", _page(Section.ROLES)),
    Scene("settings-page-found", _page(Section.SYSTEM, "to")),
    Scene("settings-page-nothing-found", _page(Section.SYSTEM, "xyzzy")),
    sheet_scene("settings-organization-new", _new, 230),
    sheet_scene("settings-organization-switch", _switch, 230),
    sheet_scene("settings-organization-delete", _delete, 340),
    sheet_scene("settings-connect", _connect, 330),
    sheet_scene("settings-connect-failed", _connect_failed, 510),
    sheet_scene("settings-models", _models, 460),
    sheet_scene("settings-key", _key, 240),
    sheet_scene("settings-provider-remove", _remove, 250),
)
