"""Providers, roles and model files in memory."""

from dataclasses import replace

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.models.api import (
    ChosenBy,
    LocalModel,
    ModelChoice,
    ModelRef,
    ModelRole,
    Provider,
    ProviderDraft,
    ProviderKind,
)
from notochord.services.vault.api import Secret


class FakeModels:
    """Keeps providers; the keys that came in are in `keys`, to be looked for in what goes out."""

    def __init__(self) -> None:
        self.keys: dict[str, str] = {}
        self._providers: dict[str, Provider] = {}
        self._roles = {"chat": ModelRole("chat", "Answers you.", None, True)}

    async def add_provider(self, draft: ProviderDraft, key: Secret | None) -> Provider:
        self.keys[draft.name] = key.reveal() if key else ""
        local = draft.kind in (ProviderKind.LOCAL, ProviderKind.OLLAMA)
        made = Provider(draft.name, draft.kind, draft.base_url, "connection-1" if key else "", draft.models, local)
        self._providers[draft.name] = made
        return made

    async def remove_provider(self, name: str) -> None:
        del self._providers[name]

    async def providers(self) -> tuple[Provider, ...]:
        return tuple(self._providers.values())

    async def listed_models(self, provider: str) -> tuple[str, ...]:
        if self.keys.get(provider) == "wrong":
            raise NotochordError(Code.MODEL_KEY_REFUSED, Fault.USER, "401", provider=provider)
        return ("small", "large")

    async def set_models(self, provider: str, models: tuple[str, ...]) -> Provider:
        self._providers[provider] = replace(self._providers[provider], models=models)
        return self._providers[provider]

    async def roles(self) -> tuple[ModelRole, ...]:
        return tuple(self._roles.values())

    async def choose(self, wanted: str = "", *, default_role: str = "chat") -> ModelChoice:
        provider, slash, model = wanted.partition("/")
        if not slash and wanted not in {role.name for role in await self.roles()}:
            raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, wanted, model=wanted)
        return ModelChoice(ModelRef(provider, model), ChosenBy.USER)

    async def set_role(self, name: str, model: ModelRef | None) -> None:
        self._roles[name] = replace(self._roles[name], model=model)

    async def add_role(self, name: str, description: str, model: ModelRef) -> ModelRole:
        self._roles[name] = ModelRole(name, description, model, False)
        return self._roles[name]

    async def describe_role(self, name: str, description: str) -> None:
        self._roles[name] = replace(self._roles[name], description=description)

    async def local_models(self) -> tuple[LocalModel, ...]:
        return (LocalModel("tiny", 135_000_000, "tiny" in self.keys, "Apache-2.0"),)

    async def obtain_local_model(self, name: str) -> LocalModel:
        self.keys[name] = ""
        return (await self.local_models())[0]

    async def remove_role(self, name: str) -> None:
        del self._roles[name]
