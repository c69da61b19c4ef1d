"""The door to models: one vocabulary for every provider, one gateway for every call."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeAlias

from notochord.core.caller import Caller
from notochord.core.strict_json import Json
from notochord.services.vault.api import Secret


class Role(StrEnum):
    """Who speaks in a message."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What the model thought aloud. `opaque` is what the provider needs back verbatim, as JSON; replayed to it only."""

    text: str
    provider: str = ""
    opaque: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it: `arguments` is the raw text, which may be no JSON at all.

    `opaque` is as in Reasoning (some providers sign calls).
    """

    id: str
    name: str
    arguments: str
    provider: str = ""
    opaque: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    call: str
    text: str
    failed: bool = False


Part: TypeAlias = Text | Reasoning | ToolCall | ToolResult


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation; results of tools stand in a message of the role TOOL."""

    role: Role
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it. The name is ours (dots allowed); the gateway renames it for each provider."""

    name: str
    description: str
    schema: dict[str, Json]


@dataclass(frozen=True, slots=True)
class ModelRef:
    """A model of a connected provider."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}"


class ChosenBy(StrEnum):
    """The rule by which a call's model was chosen."""

    CONVERSATION = "conversation"
    AGENT = "agent"
    ROLE = "role"
    CHAT_ROLE = "chat role"
    PARENT = "parent"
    USER = "user"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model and the rule that led to it."""

    model: ModelRef
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call. `feature` is the use it counts for (chat, sub_agent, title, summary, gem, gem_agent …)."""

    choice: ModelChoice
    feature: str
    caller: Caller
    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_output_tokens: int = 0
    temperature: float | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The provider asked to wait, or the call is tried again, in `seconds`."""

    seconds: float
    attempt: int


@dataclass(frozen=True, slots=True)
class Loading:
    """A local model is being loaded: `share` from 0 to 1."""

    share: float


class Finish(StrEnum):
    """Why the model stopped."""

    STOP = "stop"
    TOOLS = "tools"
    LENGTH = "length"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class Reply:
    """The end of a stream: the whole message, why it ended, what it cost. Tool calls are the last parts.

    `legal_moves` counts what the grammar let a local model choose from (tools and "answer"); 0: no grammar.
    """

    message: Message
    finish: Finish
    input_tokens: int
    output_tokens: int
    legal_moves: int = 0


ModelEvent: TypeAlias = TextDelta | ReasoningDelta | Waiting | Loading | Reply


class ProviderKind(StrEnum):
    """The wire format and the place of a provider."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    OPENROUTER = "openrouter"
    OLLAMA = "ollama"
    COMPATIBLE = "compatible"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Provider:
    """A connected provider.

    `on_this_computer`: nothing sent to it leaves the machine; `on_this_network`: it stays in the internal network.
    """

    name: str
    kind: ProviderKind
    base_url: str
    connection: str
    models: tuple[str, ...]
    on_this_computer: bool
    on_this_network: bool = False


@dataclass(frozen=True, slots=True)
class ProviderDraft:
    """What a provider is made from. `base_url` may be empty for kinds that have a usual address."""

    name: str
    kind: ProviderKind
    base_url: str = ""
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelRole:
    """A kind of work and the model it got; `description` is the line that the AI reads too."""

    name: str
    description: str
    model: ModelRef | None
    built_in: bool


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model file of the shared folder, or of the catalogue and not here yet; `licence` is its SPDX name."""

    name: str
    size: int
    here: bool
    licence: str = ""
    note: str = ""


Progress: TypeAlias = Callable[[float], None]
"""Hears how far a long work is, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Facts about one model. `context` and `output` are tokens; 0: not known. `known`: the bundled list has it."""

    context: int = 0
    output: int = 0
    tools: bool = True
    vision: bool = False
    temperature: bool = True
    known: bool = True
    abilities: tuple[str, ...] = ()
    """What it can do beside text and seeing images: audio_input, video_input, image_output, audio_output …"""

    def can(self, ability: str) -> bool:
        """Tell whether it has an ability that gems may require (MODEL-114)."""
        return ability in self.abilities or (ability == "image_input" and self.vision)


@dataclass(frozen=True, slots=True)
class ToolLeftOut:
    """Event: a tool could not be offered to a model because of its schema; the call went on without it."""

    tool: str
    reason: str


@dataclass(frozen=True, slots=True)
class RolesChanged:
    """Event: a role, its model, or the models to choose from changed."""


class Models(Protocol):
    """The gateway to every model, and what the user set up for it."""

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield what happens; the last event is the Reply. Closing the iterator cancels the call.

        Tries again on 429, 5xx and lost connections until the first token, then no more.
        Raises NotochordError: MODEL_* (see `core.codes`), NETWORK_*, LIMIT_REACHED.
        """

    async def choose(self, wanted: str = "", *, default_role: str = "chat") -> ModelChoice:
        """Turn "PROVIDER/MODEL" or a role's name into a model; an empty text or a role without a model means `chat`.

        Raises NotochordError: MODEL_NOT_CHOSEN, MODEL_UNKNOWN.
        """

    async def add_provider(self, draft: ProviderDraft, key: Secret | None) -> Provider:
        """Connect a provider; its key goes to the vault, bound to the provider's host.

        Raises INPUT_INVALID (name, address, a key missing or not wanted), PROVIDER_EXISTS.
        """

    async def remove_provider(self, name: str) -> None:
        """Forget a provider and its key; roles that had one of its models are unset. Raises PROVIDER_UNKNOWN."""

    async def replace_key(self, name: str, key: Secret) -> Provider:
        """Give a provider another key, or its first one. Raises PROVIDER_UNKNOWN, INPUT_INVALID (no key is wanted)."""

    async def remove_key(self, name: str) -> Provider:
        """Forget a provider's key; the provider stays (OPEN-007). Raises PROVIDER_UNKNOWN."""

    async def providers(self) -> tuple[Provider, ...]: ...

    async def listed_models(self, provider: str) -> tuple[str, ...]:
        """Ask the provider which models it has. Raises PROVIDER_UNKNOWN, and as `stream` does."""

    async def detect_ollama(self) -> tuple[str, ...] | None:
        """Return the models of an Ollama that answers on this computer within a second; None without one (OPEN-029)."""

    async def local_models(self) -> tuple[LocalModel, ...]:
        """Return the model files on this computer and those that can be obtained."""

    async def obtain_local_model(self, name: str, *, progress: Progress | None = None) -> LocalModel:
        """Put a model of the catalogue into the shared folder; cancelling leaves nothing behind.

        Raises MODEL_UNKNOWN, MODEL_LOCAL_MISSING, MODEL_FILE_DAMAGED, DISK_FULL.
        """

    async def add_local_file(self, file: Path, *, progress: Progress | None = None) -> LocalModel:
        """Copy the user's own GGUF file into the shared folder; cancelling leaves nothing behind.

        Raises MODEL_UNKNOWN (no such file), MODEL_FILE_DAMAGED, INPUT_INVALID (its name), FILE_EXISTS, DISK_FULL.
        """

    async def remove_local_model(self, name: str) -> None:
        """Delete a model file; every organization loses it (ORG-038), and here it leaves its provider and its roles.

        Raises MODEL_UNKNOWN.
        """

    def capabilities(self, model: str) -> Capabilities:
        """Return what the bundled list of common models knows of `model` (MODEL-115)."""

    async def set_models(self, provider: str, models: tuple[str, ...]) -> Provider:
        """Choose the provider's models that are used; the first one ever becomes the `chat` role's (OPEN-027)."""

    async def roles(self) -> tuple[ModelRole, ...]: ...

    async def set_role(self, name: str, model: ModelRef | None) -> None:
        """Give a role its model. Raises ROLE_INVALID, MODEL_UNKNOWN."""

    async def add_role(self, name: str, description: str, model: ModelRef) -> ModelRole:
        """Add a custom role, which needs all three. Raises ROLE_INVALID, MODEL_UNKNOWN."""

    async def describe_role(self, name: str, description: str) -> None:
        """Change the line of a custom role. Raises ROLE_INVALID."""

    async def remove_role(self, name: str) -> None:
        """Remove a custom role. Raises ROLE_INVALID for a built-in one or none."""

    async def close(self) -> None:
        """End every call and every local model."""
