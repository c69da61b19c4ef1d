"""What a role or an agent can be given: the models in use, and for agents the roles before them."""

from collections.abc import Iterable
from dataclasses import dataclass

from notochord.services.models.api import Capabilities, ModelRef, ModelRole, Models, Provider

CHAT = "chat"


@dataclass(frozen=True, slots=True)
class ModelOption:
    """A model in use; `value` is how a setting names it."""

    provider: str
    model: str
    on_this_computer: bool
    capabilities: Capabilities

    @property
    def value(self) -> str:
        return f"{self.provider}/{self.model}"


@dataclass(frozen=True, slots=True)
class RoleOption:
    """A role; `option` is the model it has, None while it has none."""

    name: str
    option: ModelOption | None


def model_options(providers: Iterable[Provider], models: Models) -> tuple[ModelOption, ...]:
    """Return all models in use, by provider."""
    return tuple(
        ModelOption(provider.name, model, provider.on_this_computer, models.capabilities(model))
        for provider in providers
        for model in provider.models
    )


def option_of(options: Iterable[ModelOption], value: str) -> ModelOption | None:
    """Return the model that a setting names; None if it is gone. Providers' names have no case."""
    provider, _, model = value.partition("/")
    return next((one for one in options if one.provider.lower() == provider.lower() and one.model == model), None)


def role_options(roles: Iterable[ModelRole], options: tuple[ModelOption, ...]) -> tuple[RoleOption, ...]:
    """Return the roles with their models."""
    return tuple(RoleOption(role.name, option_of(options, str(role.model)) if role.model else None) for role in roles)


def reference(value: str) -> ModelRef | None:
    """Return the model that a value names; None for an empty one."""
    provider, _, model = value.partition("/")
    return ModelRef(provider, model) if value else None
