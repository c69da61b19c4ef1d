"""What the gateway needs from outside: somebody who speaks to providers, and somebody who runs model files."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeAlias

from notochord.core.strict_json import Json
from notochord.services.egress.api import Leave as Leave
from notochord.services.models.api import Finish as Finish
from notochord.services.models.api import Loading as Loading
from notochord.services.models.api import LocalModel as LocalModel
from notochord.services.models.api import Message as Message
from notochord.services.models.api import Part as Part
from notochord.services.models.api import Progress as Progress
from notochord.services.models.api import ProviderKind as ProviderKind
from notochord.services.models.api import Reasoning as Reasoning
from notochord.services.models.api import Role as Role
from notochord.services.models.api import Text as Text
from notochord.services.models.api import ToolCall as ToolCall
from notochord.services.models.api import ToolResult as ToolResult


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a call goes and under which rights; the secret is added on the way, never here."""

    provider: str
    kind: ProviderKind
    base_url: str
    leave: Leave


@dataclass(frozen=True, slots=True)
class WireTool:
    """A tool with a name and a schema that the provider takes."""

    name: str
    description: str
    schema: dict[str, Json]


@dataclass(frozen=True, slots=True)
class WireCall:
    """A request ready for its provider: messages in order and complete, names and schemas in the provider's form.

    `max_output_tokens` 0 and None for temperature or seed mean: the provider's own.
    """

    endpoint: Endpoint
    model: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[WireTool, ...]
    max_output_tokens: int
    temperature: float | None
    seed: int | None


@dataclass(frozen=True, slots=True)
class TextPiece:
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPiece:
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningSeal:
    """Ends the current block of reasoning; `opaque` is the JSON that the provider needs back."""

    opaque: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A part of a tool call as it came: any of the fields may be missing."""

    index: int | None
    id: str
    name: str
    arguments: str
    opaque: str = ""


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens counted by the provider so far; 0 means: not said."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The model is done. A stream without this was cut."""

    finish: Finish
    legal_moves: int = 0


Piece: TypeAlias = TextPiece | ReasoningPiece | ReasoningSeal | CallPiece | Spent | Stopped | Loading


class FailureKind(StrEnum):
    """What went wrong on the way to a provider, as far as its client can tell."""

    STATUS = "status"
    LOST = "lost"
    BROKEN = "broken"
    FLOOD = "flood"
    """More came than any answer has; the rest was not read."""


class ProviderFailure(Exception):
    """A call failed: an answer with an error status, a lost connection, or a stream that makes no sense.

    `retry_after` is what the provider asked for, in seconds; None: nothing. `status` is 0 without an answer.
    """

    def __init__(self, kind: FailureKind, detail: str, *, status: int = 0, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.status = status
        self.retry_after = retry_after


class ModelClient(Protocol):
    """Speaks to models of some kinds of providers."""

    def stream(self, call: WireCall) -> AsyncIterator[Piece]:
        """Yield what comes, `Stopped` among it. Closing the iterator ends the call.

        Raises ProviderFailure, and NotochordError for what trying again cannot mend.
        """

    async def models(self, endpoint: Endpoint) -> tuple[str, ...]:
        """Return the names of the models that the endpoint offers. Raises as `stream` does."""

    async def close(self) -> None:
        """End every call under way."""


class LocalModelClient(ModelClient, Protocol):
    """Runs model files on this computer."""

    async def catalogue(self) -> tuple[LocalModel, ...]:
        """Return the models that are here and those that could be."""

    async def obtain(self, name: str, progress: Progress | None = None) -> LocalModel:
        """Put a model of the catalogue into the folder. Raises as `Models.obtain_local_model` does."""

    async def take_in(self, file: Path, progress: Progress | None = None) -> LocalModel:
        """Copy a model file into the folder. Raises as `Models.add_local_file` does."""

    async def discard(self, name: str) -> None:
        """Delete a model file, ending the process that has it open. Raises MODEL_UNKNOWN."""
