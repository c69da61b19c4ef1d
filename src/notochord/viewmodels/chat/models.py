"""The models to choose from, each with where it runs."""

import asyncio
from dataclasses import dataclass
from enum import StrEnum

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.models.api import Models, Provider, RolesChanged
from notochord.services.settings.api import SettingChanged, Settings


class RunsAt(StrEnum):
    """Where a model runs: whether what it reads leaves this computer, or the network."""

    COMPUTER = "computer"
    NETWORK = "network"
    CLOUD = "cloud"


@dataclass(frozen=True, slots=True)
class ModelOption:
    """Something to choose: a role by its name, or a model as "PROVIDER/MODEL".

    `role` is the role's name, empty for a model; `model` is what answers then, empty while the role has none.
    """

    value: str
    role: str
    model: str
    runs_at: RunsAt


class ModelChoices:
    """Keeps `options` (roles that have a model, then models) and `default` equal to what is set up."""

    def __init__(self, *, models: Models, settings: Settings, events: EventBus) -> None:
        self.options: ObservableList[ModelOption] = ObservableList()
        self.default: Observable[str] = Observable("")
        """The model that answers in a conversation for which nothing is chosen, empty while there is none."""
        self._models = models
        self._settings = settings
        self._places: dict[str, RunsAt] = {}
        self._lifetime = Lifetime("model choices")
        self._in_turn = asyncio.Lock()
        self._setting = model_setting(BuiltInAgent.CHAT)
        self._subscriptions: list[Unsubscribe] = [
            events.subscribe(RolesChanged, lambda _: self._reload()),
            events.subscribe(SettingChanged, lambda event: self._setting_changed(event.name)),
        ]

    async def start(self) -> None:
        """Read what there is to choose from."""
        async with self._in_turn:  # one after the other: what is read last is shown last
            await self._read()

    async def _read(self) -> None:
        providers = await self._models.providers()
        self._places = {provider.name: _place(provider) for provider in providers}
        roles = [
            ModelOption(role.name, role.name, str(role.model), self.runs_at(str(role.model)))
            for role in await self._models.roles()
            if role.model is not None
        ]
        models = [
            ModelOption(value, "", value, self._places[provider.name])
            for provider in providers
            for value in (f"{provider.name}/{model}" for model in provider.models)
        ]
        self.options.reset([*roles, *models])
        self.default.set(await self._default())

    async def close(self) -> None:
        """Hear no more."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        await self._lifetime.close()

    def runs_at(self, model: str) -> RunsAt:
        """Tell where "PROVIDER/MODEL" runs; what is not known is taken for far away."""
        return self._places.get(model.partition("/")[0], RunsAt.CLOUD)

    async def _default(self) -> str:
        try:
            choice = await self._models.choose(self._settings.current(self._setting))
        except NotochordError:
            return ""
        return str(choice.model)

    def _setting_changed(self, name: str) -> None:
        if name == self._setting.name:
            self._reload()

    def _reload(self) -> None:
        _ = self._lifetime.start("reload", self.start())


def _place(provider: Provider) -> RunsAt:
    if provider.on_this_computer:
        return RunsAt.COMPUTER
    return RunsAt.NETWORK if provider.on_this_network else RunsAt.CLOUD
