"""The roles: which model each kind of work gets, and the user's own roles (MODEL-007 to MODEL-024)."""

from dataclasses import dataclass
from enum import StrEnum

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.observable import Observable, ObservableList
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.models.api import ModelRole, Models, RolesChanged
from notochord.services.settings.api import Settings
from notochord.viewmodels.settings.choices import ModelOption, model_options, option_of, reference
from notochord.viewmodels.settings.pane import SectionModel
from notochord.viewmodels.settings.provider_rows import Affected

LONGEST_NAME = 40
LONGEST_DESCRIPTION = 200
"""In characters; longer ones are refused (OPEN-084)."""


class RoleHint(StrEnum):
    """What is worth a line below a role's model; it never keeps anybody from choosing it."""

    NONE = ""
    LEAVES = "leaves"
    NO_IMAGES = "no_images"


@dataclass(frozen=True, slots=True)
class RoleRow:
    """A role; `line` is what the AI reads, the same text in every language (MODEL-012, MODEL-013)."""

    name: str
    line: str
    model: str
    built_in: bool
    hint: RoleHint = RoleHint.NONE


@dataclass(frozen=True, slots=True)
class PendingRole:
    """A role that was named and described and waits for its model; until then it does not exist (MODEL-021)."""

    name: str
    line: str


class RolesModel(SectionModel):
    """Shared by the settings and the first-run set-up (SETUP-036)."""

    def __init__(self, *, models: Models, settings: Settings, events: EventBus) -> None:
        super().__init__("roles", events, RolesChanged)
        self._models = models
        self._settings = settings
        self.options: Observable[tuple[ModelOption, ...]] = Observable(())
        self.roles: ObservableList[RoleRow] = ObservableList()
        self.pending: Observable[PendingRole | None] = Observable(None)

    async def assign(self, role: str, model: str) -> None:
        """Give a role a model ("PROVIDER/MODEL"), or none. Raises ROLE_INVALID, MODEL_UNKNOWN."""
        await self._models.set_role(role, reference(model))

    async def begin(self, name: str, line: str) -> None:
        """Name and describe a role that then waits for its model. Raises ROLE_INVALID."""
        name, line = name.strip(), line.strip()
        if not name:
            raise _invalid(name, "it needs a name", "why.role_name", LONGEST_NAME)
        if not line:
            raise _invalid(name, "it needs a description", "why.role_description", LONGEST_DESCRIPTION)
        if any(row.name.lower() == name.lower() for row in self.roles):
            raise _invalid(name, "the name is taken", "why.name_taken")
        self.pending.set(PendingRole(name, line))

    async def complete(self, model: str) -> None:
        """Give the waiting role its model: now it exists. Raises ROLE_INVALID, MODEL_UNKNOWN."""
        waiting, chosen = self.pending.value, reference(model)
        if waiting is None or chosen is None:
            return
        await self._models.add_role(waiting.name, waiting.line, chosen)
        self.pending.set(None)

    async def give_up(self) -> None:
        """Forget the waiting role."""
        self.pending.set(None)

    async def describe(self, role: str, line: str) -> None:
        """Change the description of one's own role. Raises ROLE_INVALID; the old one stays then."""
        await self._models.describe_role(role, line)

    async def affected(self, role: str) -> Affected:
        """Return the agents that use a role and would fall back to `chat` (OPEN-083)."""
        current = self._settings.current
        return Affected(agents=tuple(one.value for one in BuiltInAgent if current(model_setting(one)) == role))

    async def remove(self, role: str) -> None:
        """Delete one's own role. Raises ROLE_INVALID."""
        await self._models.remove_role(role)

    async def _load(self) -> None:
        options = model_options(await self._models.providers(), self._models)
        rows = [_row(role, options) for role in await self._models.roles()]
        self.options.set(options)
        self.roles.reset(rows)


def _row(role: ModelRole, options: tuple[ModelOption, ...]) -> RoleRow:
    value = str(role.model) if role.model else ""
    return RoleRow(role.name, role.description, value, role.built_in, _hint(role, option_of(options, value)))


def _hint(role: ModelRole, option: ModelOption | None) -> RoleHint:
    if option is None or not role.built_in:
        return RoleHint.NONE
    if role.name == "local" and not option.on_this_computer:
        return RoleHint.LEAVES
    if role.name == "vision" and option.capabilities.known and not option.capabilities.vision:
        return RoleHint.NO_IMAGES
    return RoleHint.NONE


def _invalid(name: str, reason: str, why: str, limit: int = 0) -> NotochordError:
    return NotochordError(Code.ROLE_INVALID, Fault.USER, reason, role=name, reason=reason, why=why, limit=limit)
