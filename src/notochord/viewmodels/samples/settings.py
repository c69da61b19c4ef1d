"""The settings in every state, for the gallery and for tests of the windows."""

from dataclasses import replace

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.models.api import Capabilities, Models, ProviderKind
from notochord.services.settings.api import Settings
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.settings.agents import AgentOptions, AgentRow, AgentsModel
from notochord.viewmodels.settings.choices import ModelOption, RoleOption
from notochord.viewmodels.settings.pane import READY, Pane, PaneState
from notochord.viewmodels.settings.provider_rows import Check, CheckPhase, FileRow, ModelRow, ProviderRow
from notochord.viewmodels.settings.providers import ProvidersModel
from notochord.viewmodels.settings.roles import PendingRole, RoleHint, RoleRow, RolesModel

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
    """Return agents that only show: a default, a role, a model, and one whose model is gone."""
    model = AgentsModel(models=absent(Models), settings=absent(Settings), events=EventBus())
    options = _options()
    model.state.set(READY)
    names = ("chat", "vision", "deep", "local")
    model.options.set(AgentOptions(tuple(RoleOption(name, None) for name in names), options))
    model.agents.reset(
        (
            AgentRow("project", "deep", options[0]),
            AgentRow("chat", "", options[0]),
            AgentRow("studio", "OpenAI/gpt-4", options[0], gone=True),
            AgentRow("background", "Ollama/qwen3:8b", options[3]),
        )
    )
    return model
