"""The connected providers and those of their models that the user chose."""

from sqlalchemy import Connection, delete, func, insert, select, update

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.models import roles
from notochord.services.models.addresses import read_address
from notochord.services.models.api import ModelRef, Provider, ProviderKind
from notochord.services.models.tables import MODELS, PROVIDERS

LONGEST_NAME = 40
LONGEST_MODEL = 200
MOST_MODELS = 1_000


def all_providers(connection: Connection) -> tuple[Provider, ...]:
    """Return the providers in the order they were added, with their models."""
    models: dict[str, list[str]] = {}
    for row in connection.execute(select(MODELS).order_by(MODELS.c.position)):
        models.setdefault(row.provider.lower(), []).append(row.model)
    rows = connection.execute(select(PROVIDERS).order_by(PROVIDERS.c.position))
    return tuple(
        Provider(
            name=row.name,
            kind=ProviderKind(row.kind),
            base_url=row.base_url,
            connection=row.connection,
            models=tuple(models.get(row.name.lower(), ())),
            on_this_computer=_on_this_computer(ProviderKind(row.kind), row.base_url),
            on_this_network=_on_this_network(ProviderKind(row.kind), row.base_url),
        )
        for row in rows
    )


def get(connection: Connection, name: str) -> Provider:
    """Return a provider. Raises PROVIDER_UNKNOWN."""
    for provider in all_providers(connection):
        if provider.name.lower() == name.lower():
            return provider
    raise NotochordError(Code.PROVIDER_UNKNOWN, Fault.USER, "no such provider", provider=name[:LONGEST_NAME])


def require_free(connection: Connection, name: str) -> None:
    """Raise PROVIDER_EXISTS if the name is taken, INPUT_INVALID if it is no name."""
    if not 1 <= len(name) <= LONGEST_NAME or "/" in name or not name.isprintable() or name != name.strip():
        detail = f"a provider's name has 1 to {LONGEST_NAME} characters, no slash and no line break"
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, detail, field="name", limit=LONGEST_NAME, why="why.provider_name"
        )
    if any(provider.name.lower() == name.lower() for provider in all_providers(connection)):
        raise NotochordError(Code.PROVIDER_EXISTS, Fault.USER, "the name is taken", provider=name)


def add(connection: Connection, provider: Provider) -> Provider:
    """Add a provider with its models. Raises as `require_free` and `checked_models` do."""
    require_free(connection, provider.name)
    position = connection.execute(select(func.coalesce(func.max(PROVIDERS.c.position), 0) + 1)).scalar_one()
    connection.execute(
        insert(PROVIDERS).values(
            name=provider.name,
            kind=provider.kind.value,
            base_url=provider.base_url,
            connection=provider.connection,
            position=position,
        )
    )
    return set_models(connection, provider.name, provider.models)


def remove(connection: Connection, name: str) -> Provider:
    """Remove a provider and unset the roles that had one of its models."""
    provider = get(connection, name)
    connection.execute(delete(MODELS).where(MODELS.c.provider == provider.name))
    connection.execute(delete(PROVIDERS).where(PROVIDERS.c.name == provider.name))
    roles.unset_lost_models(connection)
    return provider


def set_models(connection: Connection, name: str, models: tuple[str, ...]) -> Provider:
    """Choose a provider's models; the first one goes into an empty chat role, a lost one out of its roles."""
    provider = get(connection, name)
    chosen = checked_models(models)
    connection.execute(delete(MODELS).where(MODELS.c.provider == provider.name))
    for position, model in enumerate(chosen):
        connection.execute(insert(MODELS).values(provider=provider.name, model=model, position=position))
    roles.unset_lost_models(connection)
    if chosen:
        roles.fill_chat_role(connection, ModelRef(provider.name, chosen[0]))
    return get(connection, name)


def set_connection(connection: Connection, name: str, account: str) -> Provider:
    """Say which account of the vault holds a provider's key."""
    provider = get(connection, name)
    connection.execute(update(PROVIDERS).where(PROVIDERS.c.name == provider.name).values(connection=account))
    return get(connection, name)


def forget_file(connection: Connection, model: str) -> None:
    """Take a model file that goes away out of its provider and its roles."""
    for provider in all_providers(connection):
        if provider.kind is ProviderKind.LOCAL and model in provider.models:
            set_models(connection, provider.name, tuple(kept for kept in provider.models if kept != model))


def checked_models(models: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names without repetition. Raises INPUT_INVALID."""
    chosen = tuple(dict.fromkeys(model.strip() for model in models))
    if len(chosen) > MOST_MODELS or any(
        not 1 <= len(model) <= LONGEST_MODEL or not model.isprintable() for model in chosen
    ):
        detail = f"a model's name has 1 to {LONGEST_MODEL} characters and no line break"
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, detail, field="models", limit=LONGEST_MODEL, why="why.model_name"
        )
    return chosen


def _on_this_computer(kind: ProviderKind, base_url: str) -> bool:
    return kind is ProviderKind.LOCAL or read_address(base_url, kind).on_this_computer


def _on_this_network(kind: ProviderKind, base_url: str) -> bool:
    return kind is ProviderKind.LOCAL or read_address(base_url, kind).private
