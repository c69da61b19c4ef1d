"""Settings and models in memory, for view-models and views."""

from collections.abc import AsyncIterator
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.strict_json import Json
from notochord.services.models.api import (
    Capabilities,
    LocalModel,
    ModelChoice,
    ModelEvent,
    ModelRequest,
    Models,
    Progress,
    Provider,
    ProviderDraft,
)
from notochord.services.settings.api import Setting, SettingChanged, Value
from notochord.services.vault.api import Secret
from support.fakes.models import FakeModels


class MemorySettings:
    """Implements `Settings` without a database."""

    def __init__(self, events: EventBus | None = None) -> None:
        self.stored: dict[str, Json] = {}
        self._events = events or EventBus()

    def current(self, setting: Setting[Value]) -> Value:
        found = self.stored.get(setting.name, setting.default)
        return found if type(found) is type(setting.default) else setting.default

    async def change(self, setting: Setting[Value], value: Value) -> None:
        self.stored[setting.name] = value
        self._events.publish(SettingChanged(setting.name))


class MemoryModels(FakeModels, Models):
    """Providers, roles and model files in memory, which tell nobody: a test reads them again itself."""

    def __init__(self) -> None:
        super().__init__()
        self.files = {"tiny": False}

    async def add_provider(self, draft: ProviderDraft, key: Secret | None) -> Provider:
        if any(one.name == draft.name for one in await self.providers()):
            raise NotochordError(Code.PROVIDER_EXISTS, Fault.USER, draft.name, provider=draft.name)
        return await super().add_provider(draft, key)

    async def listed_models(self, provider: str) -> tuple[str, ...]:
        if self.keys.get(provider) == "offline":
            raise NotochordError(Code.NETWORK_UNREACHABLE, Fault.NETWORK, host=provider)
        return await super().listed_models(provider)

    async def local_models(self) -> tuple[LocalModel, ...]:
        return tuple(LocalModel(name, 98_000_000, here, "MIT", "Small.") for name, here in self.files.items())

    async def obtain_local_model(self, name: str, *, progress: Progress | None = None) -> LocalModel:
        self.files[name] = True
        return LocalModel(name, 98_000_000, True)

    async def add_local_file(self, file: Path, *, progress: Progress | None = None) -> LocalModel:
        if file.suffix != ".gguf":
            raise NotochordError(Code.MODEL_FILE_DAMAGED, Fault.USER, "no model", model=file.name, reason="no model")
        return await self.obtain_local_model(file.stem, progress=progress)

    async def remove_local_model(self, name: str) -> None:
        self.files[name] = False

    async def replace_key(self, name: str, key: Secret) -> Provider:
        self.keys[name] = key.reveal()
        return (await self.providers())[0]

    async def detect_ollama(self) -> tuple[str, ...] | None:
        return None

    async def remove_key(self, name: str) -> Provider:
        raise NotochordError(Code.PROVIDER_UNKNOWN, Fault.USER, name)

    async def choose(self, wanted: str = "", *, default_role: str = "chat") -> ModelChoice:
        raise NotochordError(Code.MODEL_NOT_CHOSEN, Fault.USER, wanted or default_role)

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        raise NotochordError(Code.MODEL_NOT_CHOSEN, Fault.USER, request.feature)

    async def close(self) -> None:
        return None

    def capabilities(self, model: str) -> Capabilities:
        return Capabilities(known=False)
