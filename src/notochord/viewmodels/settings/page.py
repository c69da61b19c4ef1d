"""The settings page: its sections, which one is shown, and the search for a setting by words."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from notochord.core.observable import Observable
from notochord.core.sentences import Sentences
from notochord.viewmodels.settings.accounts import AccountsModel
from notochord.viewmodels.settings.agents import AgentsModel
from notochord.viewmodels.settings.developers import DevelopersModel
from notochord.viewmodels.settings.network import NetworkModel
from notochord.viewmodels.settings.organizations import OrganizationsModel
from notochord.viewmodels.settings.pane import SectionModel
from notochord.viewmodels.settings.providers import ProvidersModel
from notochord.viewmodels.settings.roles import RolesModel
from notochord.viewmodels.settings.statistics import StatisticsModel
from notochord.viewmodels.settings.system import SystemModel
from notochord.viewmodels.shell.matching import match
from notochord.viewmodels.shell.navigation import Navigation, Page, Place

MOST_RESULTS = 12


class Section(StrEnum):
    """The sections in their order; the value is `Place.subject`."""

    PROVIDERS = "providers"
    ROLES = "roles"
    AGENTS = "agents"
    SYSTEM = "system"
    NETWORK = "network"
    ACCOUNTS = "accounts"
    DEVELOPERS = "developers"
    ORGANIZATION = "organization"
    STATISTICS = "statistics"


AI_SECTIONS = (Section.PROVIDERS, Section.ROLES, Section.AGENTS)
"""What "AI Settings" consists of (SET-001)."""

SECTION_TITLES = tuple((section.value, f"window.settings.{section}.title") for section in Section)
"""Each section with the key of its title, as the command palette lists them."""

SETTINGS: Mapping[Section, tuple[str, ...]] = {
    Section.PROVIDERS: ("providers.add", "files.title", "files.own"),
    Section.ROLES: ("role.chat", "role.vision", "role.deep", "role.local", "roles.own"),
    Section.AGENTS: (
        "agent.project", "agent.chat", "agent.studio", "agent.background", "agents.tool.read_skill",
        "agents.tool.tool_search",
    ),
    Section.SYSTEM: (
        "system.language", "system.theme", "system.text_size", "system.closing", "system.at_login", "system.notify",
        "system.send", "system.compress", "system.max_steps", "system.token_limit",
    ),
    Section.NETWORK: ("network.outside", "network.inside", "network.proxy", "network.mode", "network.store"),
    Section.ACCOUNTS: ("accounts.add",),
    Section.DEVELOPERS: ("developers.add",),
    Section.ORGANIZATION: (
        "organization.name", "organization.save_key", "organization.place", "organization.new",
        "organization.all",
    ),
    Section.STATISTICS: ("statistics.export",),
}  # fmt: skip
"""What the search finds in each section: keys of texts, whose `.remark` is searched as well."""


@dataclass(frozen=True, slots=True)
class SettingFound:
    """A setting that answers to the words: what it is called, and where it is."""

    title: str
    section: Section
    is_section: bool = False


@dataclass(frozen=True, slots=True)
class Sections:
    """The view-model of each section."""

    providers: ProvidersModel
    roles: RolesModel
    agents: AgentsModel
    system: SystemModel
    network: NetworkModel
    accounts: AccountsModel
    developers: DevelopersModel
    organization: OrganizationsModel
    statistics: StatisticsModel

    def of(self, section: Section) -> SectionModel:
        """Return the view-model of a section."""
        found: SectionModel = getattr(self, section.value)
        return found


class SettingsModel:
    """Follows the navigation: its subject on the page of settings is the section."""

    def __init__(self, *, sentences: Sentences, navigation: Navigation, sections: Sections) -> None:
        self._sentences = sentences
        self._navigation = navigation
        self.sections = sections
        self.section: Observable[Section] = Observable(Section.PROVIDERS)
        self.found: Observable[tuple[SettingFound, ...] | None] = Observable(None)
        """What answers to the words of the search; None while nothing is searched for."""
        self._unsubscribe = navigation.place.watch(self._follow)
        self._follow(navigation.place.value)

    async def read(self, section: Section) -> None:
        """Read a section anew; with the providers, look for an Ollama of this computer that is not connected yet."""
        await self.sections.of(section).start()
        if section is Section.PROVIDERS:
            await self.sections.providers.look_for_ollama()

    def search(self, words: str) -> None:
        """Find the settings that answer to the words, best first."""
        if not words.strip():
            self.found.set(None)
            return
        scored = []
        for entry, texts in self._entries():
            scores = [found.score - 40 * at for at, text in enumerate(texts) if (found := match(words, text))]
            if scores:
                scored.append((max(scores), entry))
        scored.sort(key=lambda each: -each[0])
        self.found.set(tuple(entry for _, entry in scored[:MOST_RESULTS]))

    async def close(self) -> None:
        """End all sections."""
        self._unsubscribe()
        for section in Section:
            await self.sections.of(section).close()

    def _entries(self) -> list[tuple[SettingFound, tuple[str, ...]]]:
        """Return everything that can be found, with its texts: the title first, then what explains it."""
        entries: list[tuple[SettingFound, tuple[str, ...]]] = []
        for section, keys in SETTINGS.items():
            title = self._text(f"{section}.title")
            entries.append((SettingFound(title, section, is_section=True), (title, self._text(f"{section}.remark"))))
            for key in keys:
                name = self._text(key)
                entries.append((SettingFound(name, section), (name, self._text(f"{key}.remark"), f"{title} {name}")))
        return entries

    def _text(self, key: str) -> str:
        full = f"window.settings.{key}"
        found = self._sentences.sentence(full)
        return "" if found == full else found

    def _follow(self, place: Place) -> None:
        if place.page is Page.SETTINGS and place.subject in set(Section):
            self.section.set(Section(place.subject))
