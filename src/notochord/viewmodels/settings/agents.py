"""Which role or model each agent uses (MODEL-036 to MODEL-042)."""

from dataclasses import dataclass, replace

from notochord.core.events import EventBus
from notochord.core.flat_text import flattened
from notochord.core.observable import Observable, ObservableList
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.gems.api import GemGrants, GemInstalled, GemRemoved, Gems, ModelNotice, agent_model
from notochord.services.models.api import Models, RolesChanged
from notochord.services.settings.api import SettingChanged, Settings
from notochord.viewmodels.settings.choices import (
    CHAT,
    ModelOption,
    RoleOption,
    model_options,
    option_of,
    role_options,
)
from notochord.viewmodels.settings.pane import SectionModel

LONGEST_NAME = 80
LONGEST_LINE = 240
_PREFIX = model_setting("").name


@dataclass(frozen=True, slots=True)
class AgentRow:
    """An agent: `value` is "", a role's name or "PROVIDER/MODEL"; `uses` is the model that this leads to now.

    `gone` says that what was chosen is there no more, so that the role `chat` is used. An assistant of a gem has the
    name `gem.<gem>.<assistant>`, a `title` and a `description`; `notice` says if its model may not be able (MODEL-115).
    """

    name: str
    value: str
    uses: ModelOption | None
    gone: bool = False
    title: str = ""
    description: str = ""
    notice: ModelNotice = ModelNotice.NONE


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """What an agent can be given: the roles first, then all models (MODEL-109)."""

    roles: tuple[RoleOption, ...] = ()
    models: tuple[ModelOption, ...] = ()


class AgentsModel(SectionModel):
    """The list of agents in the order of MODEL-036, then those of gems."""

    def __init__(
        self, *, models: Models, settings: Settings, events: EventBus, gems: Gems | None = None,
        grants: GemGrants | None = None,
    ) -> None:  # fmt: skip
        super().__init__("agents", events, RolesChanged, SettingChanged, GemInstalled, GemRemoved)
        self._models = models
        self._gems = gems
        self._grants = grants
        self._settings = settings
        self.options: Observable[AgentOptions] = Observable(AgentOptions())
        self.agents: ObservableList[AgentRow] = ObservableList()

    async def choose(self, agent: str, value: str) -> None:
        """Give an agent a role ("deep"), a model ("PROVIDER/MODEL") or nothing, which means the role `chat`."""
        await self._settings.change(model_setting(agent), value)

    async def _load(self) -> None:
        models = model_options(await self._models.providers(), self._models)
        options = AgentOptions(role_options(await self._models.roles(), models), models)
        self.options.set(options)
        rows = [_row(agent, self._settings.current(model_setting(agent)), options) for agent in BuiltInAgent]
        self.agents.reset([*rows, *await self._of_gems(options)])

    async def _of_gems(self, options: AgentOptions) -> list[AgentRow]:
        """Return the assistants of gems; it is the same choice as on the page of each gem (MODEL-112)."""
        rows: list[AgentRow] = []
        if self._gems is None or self._grants is None or not options.models:
            return rows
        for gem in await self._gems.all():
            for agent in gem.agents:
                value = self._settings.current(agent_model(gem.id, agent.name))
                row = _row(agent_model(gem.id, agent.name).name.removeprefix(_PREFIX), value, options)
                rows.append(
                    replace(
                        row,
                        title=f"{agent.name} · {flattened(gem.name, LONGEST_NAME)}",
                        description=flattened(agent.description, LONGEST_LINE),
                        notice=await self._grants.model_notice(gem.id, agent.name, value),
                    )
                )
        return rows

    def concerned(self, event: object) -> bool:
        """Of the settings, only those of agents matter."""
        return not isinstance(event, SettingChanged) or event.name.startswith(_PREFIX)


def _row(agent: str, value: str, options: AgentOptions) -> AgentRow:
    roles = {role.name.lower(): role for role in options.roles}
    chat = roles[CHAT].option if CHAT in roles else None
    if "/" in value:
        model = option_of(options.models, value)
        return AgentRow(str(agent), value, model or chat, gone=model is None)
    role = roles.get((value or CHAT).lower())
    return AgentRow(str(agent), value, (role.option if role else None) or chat, gone=role is None)
