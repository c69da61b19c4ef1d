"""The settings in every state, for the gallery and for tests of the windows."""

from dataclasses import replace
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.sentences import Sentences
from notochord.services.chat.api import Chats
from notochord.services.egress.api import Egress, OutsideMode
from notochord.services.gem_developers.api import Developers
from notochord.services.gems.api import Dossiers, Gems, ModelNotice
from notochord.services.models.api import Capabilities, Models, ProviderKind
from notochord.services.organizations.api import Organizations
from notochord.services.settings.api import Settings
from notochord.services.store.api import Store
from notochord.services.usage.api import Usage
from notochord.viewmodels.samples.accounts import accounts
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.settings.agents import AgentOptions, AgentRow, AgentsModel, ToolOfChoice
from notochord.viewmodels.settings.choices import ModelOption, RoleOption
from notochord.viewmodels.settings.developers import DeveloperRow, DevelopersModel
from notochord.viewmodels.settings.network import (
    HostList,
    NetworkModel,
    ProxyChoice,
    ProxyUse,
    Refusal,
    SourceChoice,
    SourceUse,
)
from notochord.viewmodels.settings.organizations import OrganizationRow, OrganizationsModel
from notochord.viewmodels.settings.page import Section, Sections, SettingsModel
from notochord.viewmodels.settings.pane import READY, Pane, PaneState
from notochord.viewmodels.settings.provider_rows import Check, CheckPhase, FileRow, ModelRow, ProviderRow
from notochord.viewmodels.settings.providers import ProvidersModel
from notochord.viewmodels.settings.roles import PendingRole, RoleHint, RoleRow, RolesModel
from notochord.viewmodels.settings.statistics import Figures, Line, StatisticsModel
from notochord.viewmodels.settings.system import SystemModel
from notochord.viewmodels.shell.navigation import Navigation, Page, Place

STORE_LOCKED = NotochordError(Code.STORE_LOCKED, Fault.SYSTEM, "another process writes", path="main.db")
UNREACHABLE = NotochordError(
    Code.MODEL_UNAVAILABLE, Fault.NETWORK, "no route", provider="Office server", reason="no route to 192.168.1.20"
)

_IMAGES = Capabilities(context=400_000, vision=True)
OPENAI = ProviderRow(
    "OpenAI",
    ProviderKind.OPENAI,
    "https://api.openai.com/v1",
    True,
    False,
    (ModelRow("gpt-5", _IMAGES), ModelRow("gpt-5-mini", _IMAGES), ModelRow("gpt-5-nano", _IMAGES)),
    Check(CheckPhase.WORKS, 42),
)
OLLAMA = ProviderRow(
    "Ollama",
    ProviderKind.OLLAMA,
    "http://localhost:11434/v1",
    False,
    True,
    (ModelRow("qwen3:8b", Capabilities(known=False)), ModelRow("gemma2:9b", Capabilities(8192, tools=False))),
)
OFFICE = ProviderRow(
    "Office server",
    ProviderKind.COMPATIBLE,
    "https://models.corp.example.com/v1",
    True,
    False,
    (),
    Check(CheckPhase.FAILED, error=UNREACHABLE),
)
SMALL = FileRow(
    "SmolLM2-135M-Instruct",
    98_362_432,
    False,
    "Apache-2.0",
    "Very small, English. Good for a first look without an account, not for real work.",
    False,
)
OWN = FileRow("Qwen3-4B-Q4_K_M", 2_497_280_256, True, "", "", True)


def providers(
    rows: tuple[ProviderRow, ...] = (OPENAI, OLLAMA, OFFICE), files: tuple[FileRow, ...] = (OWN, SMALL)
) -> ProvidersModel:
    """Return a table of providers that only shows."""
    model = ProvidersModel(models=absent(Models), settings=absent(Settings), events=EventBus())
    model.state.set(READY)
    model.providers.reset(rows)
    model.files.reset(files)
    return model


def providers_empty() -> ProvidersModel:
    """Return the table before anything is connected, with an Ollama that was found."""
    model = providers((), (SMALL,))
    model.ollama.set(("qwen3:8b", "gemma2:9b"))
    return model


def providers_at_work() -> ProvidersModel:
    """Return the table while a connection is tested and a model is fetched."""
    testing = replace(OPENAI, check=Check(CheckPhase.RUNNING))
    many = replace(OLLAMA, models=tuple(ModelRow(f"qwen3:{size}b", Capabilities(known=False)) for size in range(1, 9)))
    model = providers((testing, many), (replace(SMALL, progress=0.42), OWN))
    model.copying.set(0.7)
    return model


def providers_loading() -> ProvidersModel:
    """Return the table before anything is read."""
    return ProvidersModel(models=absent(Models), settings=absent(Settings), events=EventBus())


def providers_failed() -> ProvidersModel:
    """Return the table that could not be read."""
    model = providers((), ())
    model.state.set(PaneState(Pane.FAILED, STORE_LOCKED))
    return model


def _options() -> tuple[ModelOption, ...]:
    return tuple(
        ModelOption(row.name, model.name, row.on_this_computer, model.capabilities)
        for row in (OPENAI, OLLAMA)
        for model in row.models
    )


ROLES = (
    RoleRow(
        "chat",
        "Everyday conversation and tasks; what a sub-agent gets when no role fits better.",
        "OpenAI/gpt-5",
        True,
    ),
    RoleRow("vision", "Reading images: screenshots, photos, scanned pages.", "", True),
    RoleRow(
        "deep",
        "The strongest model, for hard thinking and output that must be good: planning, analysis, generating a whole "
        "HTML page or a long report.",
        "OpenAI/gpt-5",
        True,
    ),
    RoleRow(
        "local",
        "A model on this computer, so nothing leaves it: for sensitive content such as emails, personal data, "
        "passwords or private documents.",
        "OpenAI/gpt-5-mini",
        True,
        RoleHint.LEAVES,
    ),
    RoleRow("Translator", "Translating between German and Chinese.", "Ollama/qwen3:8b", False),
)


def roles(pending: PendingRole | None = None) -> RolesModel:
    """Return roles that only show, one of them the user's own."""
    model = RolesModel(models=absent(Models), settings=absent(Settings), events=EventBus())
    model.state.set(READY)
    model.options.set(_options())
    model.roles.reset(ROLES)
    model.pending.set(pending)
    return model


def roles_empty() -> RolesModel:
    """Return the built-in roles while no model is connected."""
    model = RolesModel(models=absent(Models), settings=absent(Settings), events=EventBus())
    model.state.set(READY)
    model.roles.reset(replace(role, model="", hint=RoleHint.NONE) for role in ROLES[:4])
    return model


def agents() -> AgentsModel:
    """Return agents that only show: a default, a role, a model, one whose model is gone, and those of a gem."""
    model = AgentsModel(models=absent(Models), settings=absent(Settings), events=EventBus(), gems=absent(Gems))
    options = _options()
    model.state.set(READY)
    names = ("chat", "vision", "deep", "local")
    model.options.set(AgentOptions(tuple(RoleOption(name, None) for name in names), options))
    model.agents.reset(
        (
            AgentRow("project", "deep", options[0], tools=tuple((tool, False) for tool in ToolOfChoice)),
            AgentRow("chat", "", options[0], tools=tuple((tool, True) for tool in ToolOfChoice)),
            AgentRow(
                "studio", "OpenAI/gpt-4", options[0], gone=True, tools=tuple((tool, False) for tool in ToolOfChoice)
            ),
            AgentRow("background", "Ollama/qwen3:8b", options[3]),
            AgentRow(
                "gem.receipts.reader",
                "",
                options[0],
                gem="Receipts",
                title="reader",
                about="Reads photographs of receipts and adds them up.",
                notice=ModelNotice.LACKS,
            ),
        )
    )
    return model


def network(mode: OutsideMode = OutsideMode.BLOCK, *, many: bool = False) -> NetworkModel:
    """Return network rules that only show."""
    model = NetworkModel(egress=absent(Egress), store=absent(Store), events=EventBus())
    model.state.set(READY)
    model.mode.set(mode)
    if many:
        model.lists[HostList.BLOCKED].reset(f"tracker-{number}.example.com" for number in range(1, 40))
        model.lists[HostList.LOCAL].reset(("localhost:5173", "192.168.1.20", "nas.local:5000"))
        model.source.set(SourceChoice(SourceUse.ADDRESS, "https://gems.example.com/index.json"))
        model.proxy.set(ProxyChoice(ProxyUse.ADDRESS, "http://user:…@proxy.example.com:3128"))
    return model


def network_refusal() -> Refusal:
    """Return why "localhost" cannot be listed."""
    error = NotochordError(
        Code.NETWORK_RULE_INVALID,
        Fault.USER,
        "the network entry 'localhost' is not valid: it would open every program on this computer",
        entry="localhost",
        instead="localhost:5173",
        why="why.rule_port_needed",
    )
    return Refusal(error, "localhost:5173")


def store_refusal() -> NotochordError:
    """Return why an address is none that the list of the store can come from."""
    return NotochordError(Code.INPUT_INVALID, Fault.USER, "no https address", field="source", why="why.store_address")


def system(*, has_tray: bool = True) -> SystemModel:
    """Return system settings that only show."""
    model = SystemModel(
        settings=absent(Settings),
        organizations=absent(Organizations),
        organization="",
        startup=None,
        speak=lambda _: None,
        has_tray=lambda: has_tray,
        events=EventBus(),
    )
    model.state.set(READY)
    model.has_tray.set(has_tray)
    model.at_login.set(False if has_tray else None)
    model.summarize_above.value.set(100_000 if has_tray else 0)
    return model


PERSONAL = OrganizationRow("9f3c", "Personal", "keychain", True, False)
CLIENT = OrganizationRow("41d0", "Client Müller & Söhne", "file", False, False)
BEGUN = OrganizationRow("52e1", "Club", "undecided", False, False, True)


def organizations(*, plain: bool = False) -> OrganizationsModel:
    """Return organizations that only show; `plain` has an open one whose key lies beside the data."""
    model = OrganizationsModel(
        organizations=absent(Organizations),
        chats=absent(Chats),
        current="9f3c",
        folder=Path("/home/user/.local/share/notochord/organizations/9f3c"),
        switch=lambda _: None,
        open_folder=lambda _: None,
        events=EventBus(),
    )
    current = replace(PERSONAL, key_place="file", twin=True) if plain else PERSONAL
    others = (replace(CLIENT, name="personal", twin=True),) if plain else (CLIENT, BEGUN)
    model.state.set(READY)
    model.all.reset((*others, current))
    model.current.set(current)
    return model


def statistics(*, empty: bool = False) -> StatisticsModel:
    """Return the use of a month, more on some days than on others."""
    model = StatisticsModel(usage=absent(Usage), clock=absent(Clock), events=EventBus())
    model.state.set(READY)
    if empty:
        return model
    days = tuple(
        Line(
            f"2026-11-{day:02}",
            (day * 7) % 23,
            (day * day * 3571) % 180_000 if day % 7 else 0,
            (day * 1571) % 42_000 if day % 7 else 0,
        )
        for day in range(1, 31)
    )
    model.figures.set(
        Figures(
            total=Line("", 284, sum(day.read for day in days), sum(day.written for day in days)),
            days=days,
            models=(Line("OpenAI/gpt-5", 190, 1_900_000, 420_000), Line("Ollama/qwen3:8b", 94, 210_000, 51_000)),
            features=(
                Line("chat", 171, 1_700_000, 390_000),
                Line("sub_agent", 48, 280_000, 60_000),
                Line("title", 65, 21_000, 3_000),
            ),
        )
    )
    return model


def developers(*, empty: bool = False) -> DevelopersModel:
    """Return trusted developers."""
    model = DevelopersModel(developers=absent(Developers), dossiers=absent(Dossiers), events=EventBus())
    rows = (
        DeveloperRow("2f8c1b7d90a4e6537c1d28ab46f09e35", "anna", "", 1_790_000_000_000, ("org.anna.receipts",)),
        DeveloperRow("b50e7742c9138fd6a1e04c68d72b9f13", "workshop-berlin", "de.workshop", 1_795_000_000_000),
    )
    model.rows.reset(() if empty else rows)
    model.state.set(READY)
    return model


class ShownSettings(SettingsModel):
    """The page with sections that only show: showing one reads nothing."""

    async def read(self, section: Section) -> None:
        """Leave the section as it is."""


def page(language: str, section: Section = Section.PROVIDERS) -> ShownSettings:
    """Return the whole page at a section."""
    sections = Sections(
        providers(),
        roles(),
        agents(),
        system(),
        network(many=True),
        accounts(language),
        developers(),
        organizations(),
        statistics(),
    )
    model = ShownSettings(
        sentences=Sentences.load(language).in_window(),
        navigation=Navigation(Place(Page.SETTINGS, section.value)),
        sections=sections,
    )
    return model
