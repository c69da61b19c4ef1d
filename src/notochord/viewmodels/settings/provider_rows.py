"""What the table of model providers shows: providers with their models, and the model files of this computer."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from notochord.core.errors import NotochordError
from notochord.services.models.api import Capabilities, LocalModel, Models, Provider, ProviderDraft, ProviderKind


class CheckPhase(StrEnum):
    """How far the test of a connection is."""

    NONE = "none"
    RUNNING = "running"
    WORKS = "works"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """The test of a connection: how many models the provider answered with, or why it failed."""

    phase: CheckPhase = CheckPhase.NONE
    count: int = 0
    error: NotochordError | None = None


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model in use, and what the bundled list knows of it."""

    name: str
    capabilities: Capabilities


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """A connected provider. Its key is never part of what is shown; `has_key` says that there is one."""

    name: str
    kind: ProviderKind
    address: str
    has_key: bool
    on_this_computer: bool
    models: tuple[ModelRow, ...]
    check: Check = field(default_factory=Check)


@dataclass(frozen=True, slots=True)
class FileRow:
    """A model file: here or in the catalogue, in use or not; `progress` from 0 to 1 while it is being fetched."""

    name: str
    size: int
    here: bool
    licence: str
    note: str
    used: bool
    progress: float | None = None
    error: NotochordError | None = None


@dataclass(frozen=True, slots=True)
class Affected:
    """What else changes when something is removed: names of models, roles and agents."""

    models: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of provider as the form offers it; `address` says whether one has to be typed, or may be."""

    kind: ProviderKind
    name: str
    key_needed: bool
    address: str = ""
    address_needed: bool = False


TEMPLATES = (
    Template(ProviderKind.OPENAI, "OpenAI", True),
    Template(ProviderKind.ANTHROPIC, "Anthropic", True),
    Template(ProviderKind.GEMINI, "Google Gemini", True),
    Template(ProviderKind.OPENROUTER, "OpenRouter", True),
    Template(ProviderKind.OLLAMA, "Ollama", False, "http://localhost:11434"),
    Template(ProviderKind.COMPATIBLE, "", False, address_needed=True),
)
"""What can be connected (MODEL-002, MODEL-003, MODEL-005); model files are a list of their own (MODEL-004)."""


def provider_row(provider: Provider, models: Models, check: Check) -> ProviderRow:
    """Return a provider as it is shown."""
    return ProviderRow(
        name=provider.name,
        kind=provider.kind,
        address=provider.base_url,
        has_key=bool(provider.connection),
        on_this_computer=provider.on_this_computer,
        models=tuple(ModelRow(name, models.capabilities(name)) for name in provider.models),
        check=check,
    )


def file_rows(
    files: tuple[LocalModel, ...], providers: tuple[Provider, ...], shown: dict[str, FileRow]
) -> tuple[FileRow, ...]:
    """Return the files as they are shown; what is being fetched, and what failed, stays as it was."""
    used = {model for provider in providers if provider.kind is ProviderKind.LOCAL for model in provider.models}
    rows = []
    for file in files:
        row = FileRow(file.name, file.size, file.here, file.licence, file.note, file.name in used)
        before = shown.get(file.name)
        if before is not None and not file.here:
            row = replace(row, progress=before.progress, error=before.error)
        rows.append(row)
    return tuple(rows)


def draft_of(template: Template, name: str, address: str) -> ProviderDraft:
    """Return what the form asks to connect; an untouched usual address is left to the service."""
    return ProviderDraft(name.strip(), template.kind, address.strip())
