"""Which role or model each agent uses (MODEL-036 to MODEL-042), those of installed gems too (MODEL-112), and which of
the program's agents use gems (GEM-020 to GEM-023)."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from notochord.core.events import EventBus
from notochord.core.flat_text import flattened
from notochord.core.observable import Observable, ObservableList
from notochord.services.agents.api import AGENTS_WITH_TOOLS, BuiltInAgent, model_setting, tool_setting
from notochord.services.agents.api import ToolOfChoice as ToolOfChoice
from notochord.services.gems.api import GemInstalled, GemRemoved, Gems, ModelNotice, Trust, agent_name
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


@dataclass(frozen=True, slots=True)
class AgentRow:
    """An agent: `value` is "", a role's name or "PROVIDER/MODEL"; `uses` is the model that this leads to now.

    `gone` says that what was chosen is there no more, so that the role `chat` is used. An agent of a gem has the gem's
    name, its own as `title`, what it says of itself, and a notice about its model; `official_gem` is the gem's id if it
    is officially signed. `tools` are those that can be given to it or taken, and whether it has them.
    """

    name: str
    value: str
    uses: ModelOption | None
    gone: bool = False
    gem: str = ""
    official_gem: str = ""
    title: str = ""
    about: str = ""
    notice: ModelNotice = ModelNotice.NONE
    tools: tuple[tuple[ToolOfChoice, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """What an agent can be given: the roles first, then all models (MODEL-109)."""

    roles: tuple[RoleOption, ...] = ()
    models: tuple[ModelOption, ...] = ()


class AgentsModel(SectionModel):
    """The list of agents in the order of MODEL-036, then those of the gems."""

    def __init__(self, *, models: Models, settings: Settings, events: EventBus, gems: Gems) -> None:
        super().__init__("agents", events, RolesChanged, SettingChanged, GemInstalled, GemRemoved)
        self._models = models
        self._settings = settings
        self._gems = gems
        self.options: Observable[AgentOptions] = Observable(AgentOptions())
        self.agents: ObservableList[AgentRow] = ObservableList()

    async def choose(self, agent: str, value: str) -> None:
        """Give an agent a role ("deep"), a model ("PROVIDER/MODEL") or nothing, which means the role `chat`."""
        await self._settings.change(model_setting(agent), value)

    async def give(self, agent: str, tool: ToolOfChoice, *, given: bool) -> None:
        """Give an agent a tool or take it, from its next step on."""
        await self._settings.change(tool_setting(agent, tool), given)

    async def _load(self) -> None:
        models = model_options(await self._models.providers(), self._models)
        options = AgentOptions(role_options(await self._models.roles(), models), models)
        own = [
            replace(_row(agent, self._settings.current(model_setting(agent)), options), tools=self._tools(agent))
            for agent in BuiltInAgent
        ]
        of_gems = [row async for row in self._of_gems(options)] if models else []
        self.options.set(options)
        self.agents.reset([*own, *of_gems])

    def _tools(self, agent: BuiltInAgent) -> tuple[tuple[ToolOfChoice, bool], ...]:
        if agent not in AGENTS_WITH_TOOLS:
            return ()
        return tuple((tool, self._settings.current(tool_setting(agent, tool))) for tool in ToolOfChoice)

    async def _of_gems(self, options: AgentOptions) -> AsyncIterator[AgentRow]:
        for gem in await self._gems.all():
            for agent in gem.agents:
                name = agent_name(gem.id, agent.name)
                value = self._settings.current(model_setting(name))
                notice = await self._gems.grants.model_notice(gem.id, agent.name, value)
                row = _row(name, value, options)
                about = flattened(agent.description)
                official = gem.id if gem.trust is Trust.OFFICIAL else ""
                row = replace(row, gem=flattened(gem.name), official_gem=official)
                yield replace(row, title=agent.name, about=about, notice=notice)

    def concerned(self, event: object) -> bool:
        """Of the settings, only those of agents matter."""
        return not isinstance(event, SettingChanged) or event.name.startswith("agents.")


def _row(agent: str, value: str, options: AgentOptions) -> AgentRow:
    roles = {role.name.lower(): role for role in options.roles}
    chat = roles[CHAT].option if CHAT in roles else None
    if "/" in value:
        model = option_of(options.models, value)
        return AgentRow(str(agent), value, model or chat, gone=model is None)
    role = roles.get((value or CHAT).lower())
    return AgentRow(str(agent), value, (role.option if role else None) or chat, gone=role is None)
