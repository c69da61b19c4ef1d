"""A gateway to models that answers from a script, and the pieces that scripts are made of.

It refuses every request that a strict provider would refuse.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, encode
from notochord.services.models.api import (
    Capabilities,
    ChosenBy,
    Finish,
    LocalModel,
    Message,
    ModelChoice,
    ModelEvent,
    ModelRef,
    ModelRequest,
    ModelRole,
    Models,
    Part,
    Progress,
    Provider,
    ProviderDraft,
    ProviderKind,
    Reply,
    Role,
    Text,
    TextDelta,
    ToolCall,
)
from notochord.services.vault.api import Secret
from support.message_rules import broken_rules

CHAT_MODEL = ModelRef("cloud", "chat-model")
DEEP_MODEL = ModelRef("cloud", "deep-model")
LOCAL_MODEL = ModelRef("here", "local-model")

Step = Reply | NotochordError | Callable[[ModelRequest], "Reply | NotochordError"]


def reply(*parts: Part, finish: Finish = Finish.STOP, tokens: tuple[int, int] = (10, 5)) -> Reply:
    return Reply(Message(Role.ASSISTANT, parts), finish, *tokens)


def say(text: str, *, tokens: tuple[int, int] = (10, 5)) -> Reply:
    return reply(Text(text), tokens=tokens)


def call(name: str, arguments: Json = None, *, id: str = "call_1") -> ToolCall:
    return ToolCall(id, name, encode({} if arguments is None else arguments))


def use(*calls: ToolCall, text: str = "", tokens: tuple[int, int] = (10, 5)) -> Reply:
    spoken = (Text(text),) if text else ()
    return reply(*spoken, *calls, finish=Finish.TOOLS, tokens=tokens)


@dataclass
class Hold:
    """Lets a test stop a stream after its first word: `reached` is set there, and it goes on when `go` is set."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    go: asyncio.Event = field(default_factory=asyncio.Event)


class ScriptedModels(Models):
    """Answers each conversation's calls with the next step of the script for its feature."""

    def __init__(self, steps: Iterable[Step] = (), **features: Iterable[Step]) -> None:
        self.scripts: dict[str, list[Step]] = {"chat": list(steps)}
        self.scripts.update({feature: list(script) for feature, script in features.items()})
        self.requests: list[ModelRequest] = []
        self.hold: Hold | None = None
        self.file_bytes = 0
        """Size of the chat model as a file on this computer; 0: it is somewhere else."""
        self.connected = {CHAT_MODEL, DEEP_MODEL, LOCAL_MODEL}
        self.role_models: dict[str, ModelRef | None] = {
            "chat": CHAT_MODEL,
            "vision": None,
            "deep": DEEP_MODEL,
            "local": LOCAL_MODEL,
        }

    def of(self, feature: str) -> list[ModelRequest]:
        return [request for request in self.requests if request.feature == feature]

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.requests.append(request)
        refused = broken_rules(request.messages)
        assert not refused, refused
        script = self.scripts.get(request.feature, [])
        if not script:
            if request.feature in ("title", "summary"):
                raise NotochordError(Code.MODEL_UNAVAILABLE, Fault.PROVIDER, "no script")
            raise AssertionError(f"no step of {request.feature} is left in the script")
        step = script.pop(0)
        result = step(request) if callable(step) else step
        if isinstance(result, NotochordError):
            raise result
        for part in result.message.parts:
            if isinstance(part, Text):
                yield TextDelta(part.text)
                if self.hold is not None:
                    self.hold.reached.set()
                    await self.hold.go.wait()
        yield result

    async def choose(self, wanted: str = "", *, default_role: str = "chat") -> ModelChoice:
        provider, slash, model = wanted.partition("/")
        if slash:
            if ModelRef(provider, model) not in self.connected:
                raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, wanted)
            return ModelChoice(ModelRef(provider, model), ChosenBy.USER)
        if wanted and wanted not in self.role_models:
            raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, wanted)
        found = self.role_models.get(wanted or default_role)
        if found is not None:
            return ModelChoice(found, ChosenBy.ROLE if wanted else ChosenBy.CHAT_ROLE)
        fallback = self.role_models["chat"]
        if fallback is None:
            raise NotochordError(Code.MODEL_NOT_CHOSEN, Fault.USER)
        return ModelChoice(fallback, ChosenBy.CHAT_ROLE)

    async def roles(self) -> tuple[ModelRole, ...]:
        return tuple(
            ModelRole(name, f"Line of {name}.", model, built_in=True) for name, model in self.role_models.items()
        )

    async def set_role(self, name: str, model: ModelRef | None) -> None:
        self.role_models[name] = model

    async def add_provider(self, draft: ProviderDraft, key: Secret | None) -> Provider:
        raise NotImplementedError

    async def remove_provider(self, name: str) -> None:
        raise NotImplementedError

    async def providers(self) -> tuple[Provider, ...]:
        if not self.file_bytes:
            return ()
        return (Provider(CHAT_MODEL.provider, ProviderKind.LOCAL, "", "", (CHAT_MODEL.model,), True),)

    async def listed_models(self, provider: str) -> tuple[str, ...]:
        return ()

    async def detect_ollama(self) -> tuple[str, ...] | None:
        return None

    async def local_models(self) -> tuple[LocalModel, ...]:
        return (LocalModel(CHAT_MODEL.model, self.file_bytes, True),) if self.file_bytes else ()

    async def obtain_local_model(self, name: str, *, progress: Progress | None = None) -> LocalModel:
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, name)

    async def add_local_file(self, file: Path, *, progress: Progress | None = None) -> LocalModel:
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, file.name)

    async def remove_local_model(self, name: str) -> None:
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, name)

    def capabilities(self, model: str) -> Capabilities:
        return Capabilities(known=False)

    async def remove_key(self, name: str) -> Provider:
        raise NotochordError(Code.PROVIDER_UNKNOWN, Fault.USER, name)

    async def replace_key(self, name: str, key: Secret) -> Provider:
        raise NotochordError(Code.PROVIDER_UNKNOWN, Fault.USER, name)

    async def set_models(self, provider: str, models: tuple[str, ...]) -> Provider:
        raise NotImplementedError

    async def add_role(self, name: str, description: str, model: ModelRef) -> ModelRole:
        raise NotImplementedError

    async def describe_role(self, name: str, description: str) -> None:
        raise NotImplementedError

    async def remove_role(self, name: str) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        return None
