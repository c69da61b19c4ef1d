"""Which model each assistant of a gem uses (MODEL-108 to MODEL-120); Settings › Agent has the same choice."""

from collections.abc import Mapping
from dataclasses import dataclass

from notochord.core.observable import Observable, ObservableList
from notochord.services.gems.api import Dossier, ModelNotice, agent_model
from notochord.services.models.api import Models
from notochord.services.settings.api import Settings
from notochord.viewmodels.settings.agents import AgentOptions
from notochord.viewmodels.settings.choices import CHAT, ModelOption, model_options, option_of, role_options


@dataclass(frozen=True, slots=True)
class AssistantRow:
    """An assistant: `value` is "", a role's name or "PROVIDER/MODEL"; `uses` the model that this leads to now."""

    name: str
    value: str
    uses: ModelOption | None
    requires: tuple[str, ...] = ()
    notice: ModelNotice = ModelNotice.NONE


class Assistants:
    """One gem's assistants. Nothing is listed while no model has been added at all (MODEL-113)."""

    def __init__(self, *, models: Models, settings: Settings) -> None:
        self._models = models
        self._settings = settings
        self._gem = ""
        self.options: Observable[AgentOptions] = Observable(AgentOptions())
        self.rows: ObservableList[AssistantRow] = ObservableList()
        self.own_calls: Observable[ModelOption | None] = Observable(None)
        """What the gem's own questions go to: always the model of the role `chat` (MODEL-098)."""

    async def show(self, dossier: Dossier, notices: Mapping[str, ModelNotice]) -> None:
        """Take over what is chosen now."""
        self._gem = gem = dossier.gem.id
        models = model_options(await self._models.providers(), self._models)
        options = AgentOptions(role_options(await self._models.roles(), models), models)
        self.options.set(options)
        self.own_calls.set(_uses("", options) if dossier.gem.uses_model else None)
        rows = []
        for agent in dossier.gem.agents if models else ():
            value = self._settings.current(agent_model(gem, agent.name))
            notice = notices.get(agent.name, ModelNotice.NONE)
            rows.append(AssistantRow(agent.name, value, _uses(value, options), agent.requires, notice))
        self.rows.reset(rows)

    async def choose(self, agent: str, value: str) -> None:
        """Give an assistant a role ("deep"), a model ("PROVIDER/MODEL") or nothing, which means the role `chat`."""
        await self._settings.change(agent_model(self._gem, agent), value)


def _uses(value: str, options: AgentOptions) -> ModelOption | None:
    roles = {role.name.lower(): role.option for role in options.roles}
    found = option_of(options.models, value) if "/" in value else roles.get((value or CHAT).lower())
    return found or roles.get(CHAT)
