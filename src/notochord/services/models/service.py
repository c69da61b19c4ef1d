"""The models service: providers, roles, choice, and the gateway behind one door."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from notochord.core.caller import Actor, Caller
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.persistence.database import Database, Work
from notochord.services.egress.api import Egress, Leave
from notochord.services.models import providers, roles
from notochord.services.models.addresses import USUAL, Address, read_address
from notochord.services.models.api import (
    Capabilities,
    ChosenBy,
    LocalModel,
    ModelChoice,
    ModelEvent,
    ModelRef,
    ModelRequest,
    ModelRole,
    Progress,
    Provider,
    ProviderDraft,
    ProviderKind,
    RolesChanged,
)
from notochord.services.models.capabilities import CapabilityList
from notochord.services.models.detection import ollama_models
from notochord.services.models.failures import as_error
from notochord.services.models.gateway import Gateway
from notochord.services.models.ports import Endpoint, LocalModelClient, ModelClient, ProviderFailure
from notochord.services.models.preparation import leave
from notochord.services.usage.api import Usage
from notochord.services.vault.api import ConnectionDraft, Placement, Registration, Secret, Vault

CONNECTION_KIND = "model provider"

_WITHOUT_KEY = frozenset({ProviderKind.LOCAL})
_KEY_NEEDED = frozenset({ProviderKind.OPENAI, ProviderKind.ANTHROPIC, ProviderKind.GEMINI, ProviderKind.OPENROUTER})
_USER = Caller(Actor.USER)

Result = TypeVar("Result")


class ModelsService:
    """See `services.models.api.Models`."""

    def __init__(
        self,
        *,
        database: Database,
        vault: Vault,
        usage: Usage,
        egress: Egress,
        remote: ModelClient,
        local: LocalModelClient,
        capabilities: CapabilityList,
        clock: Clock,
        events: EventBus,
    ) -> None:
        self._database = database
        self._vault = vault
        self._egress = egress
        self._remote = remote
        self._local = local
        self._events = events
        self._capabilities = capabilities
        self._gateway = Gateway(
            clients=self._client, usage=usage, capabilities=capabilities, clock=clock, events=events
        )

    async def start(self) -> None:
        """Drop keys whose provider was never stored, or is gone, because the program was stopped in between."""
        known = {provider.connection for provider in await self.providers()}
        for connection in await self._vault.connections():
            if connection.kind == CONNECTION_KIND and connection.id not in known:
                await self._vault.remove(connection.id)

    async def close(self) -> None:
        self._gateway.close()
        await self._remote.close()
        await self._local.close()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        model = request.choice.model
        provider = await self._database.read(lambda connection: _provider_of(connection, model))
        async with aclosing(self._gateway.stream(request, provider)) as events:
            async for event in events:
                yield event

    async def choose(self, wanted: str = "", *, default_role: str = roles.CHAT) -> ModelChoice:
        return await self._database.read(lambda connection: _choice(connection, wanted.strip(), default_role))

    async def add_provider(self, draft: ProviderDraft, key: Secret | None) -> Provider:
        _check_key(draft, key)
        local = draft.kind is ProviderKind.LOCAL
        address = None if local else read_address(draft.base_url, draft.kind)
        models = providers.checked_models(draft.models)
        if local:
            await self._require_files(models)
        await self._database.read(lambda connection: providers.require_free(connection, draft.name))
        account = "" if key is None or address is None else await self._keep(draft, address, key)
        provider = Provider(draft.name, draft.kind, address.base if address else "", account, models, local)
        try:
            return await self._change(lambda connection: providers.add(connection, provider))
        except NotochordError:
            if account:
                await self._vault.remove(account)
            raise

    async def remove_provider(self, name: str) -> None:
        provider = await self._change(lambda connection: providers.remove(connection, name))
        if provider.connection:
            await self._vault.remove(provider.connection)

    async def replace_key(self, name: str, key: Secret) -> Provider:
        provider = await self._database.read(lambda connection: providers.get(connection, name))
        _check_key(ProviderDraft(provider.name, provider.kind, provider.base_url), key)
        if provider.connection:
            await self._vault.replace_secret(provider.connection, key)
            return provider
        address = read_address(provider.base_url, provider.kind)
        account = await self._keep(ProviderDraft(provider.name, provider.kind), address, key)
        return await self._change(lambda connection: providers.set_connection(connection, name, account))

    async def remove_key(self, name: str) -> Provider:
        before = await self._database.read(lambda connection: providers.get(connection, name))
        after = await self._change(lambda connection: providers.set_connection(connection, name, ""))
        if before.connection:
            await self._vault.remove(before.connection)
        return after

    async def providers(self) -> tuple[Provider, ...]:
        return await self._database.read(providers.all_providers)

    async def listed_models(self, provider: str) -> tuple[str, ...]:
        found = await self._database.read(lambda connection: providers.get(connection, provider))
        endpoint = Endpoint(found.name, found.kind, found.base_url, leave(found, Leave(_USER)))
        try:
            return await self._client(found.kind).models(endpoint)
        except ProviderFailure as failure:
            raise as_error(failure, ModelRef(found.name, ""), begun=False) from failure

    async def detect_ollama(self) -> tuple[str, ...] | None:
        return await ollama_models(self._egress, _USER)

    async def local_models(self) -> tuple[LocalModel, ...]:
        return await self._local.catalogue()

    async def obtain_local_model(self, name: str, *, progress: Progress | None = None) -> LocalModel:
        obtained = await self._local.obtain(name, progress)
        self._events.publish(RolesChanged())
        return obtained

    async def add_local_file(self, file: Path, *, progress: Progress | None = None) -> LocalModel:
        added = await self._local.take_in(file, progress)
        self._events.publish(RolesChanged())
        return added

    async def remove_local_model(self, name: str) -> None:
        if all(model.name != name or not model.here for model in await self._local.catalogue()):
            raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, "no such model file", model=name[:100])
        await self._change(lambda connection: providers.forget_file(connection, name))
        await self._local.discard(name)
        self._events.publish(RolesChanged())

    def capabilities(self, model: str) -> Capabilities:
        return self._capabilities.of(model)

    async def set_models(self, provider: str, models: tuple[str, ...]) -> Provider:
        known = {found.name: found.kind for found in await self.providers()}
        if known.get(provider) is ProviderKind.LOCAL:
            await self._require_files(models)
        return await self._change(lambda connection: providers.set_models(connection, provider, models))

    async def roles(self) -> tuple[ModelRole, ...]:
        return await self._database.read(roles.all_roles)

    async def set_role(self, name: str, model: ModelRef | None) -> None:
        await self._change(lambda connection: roles.assign(connection, name, model))

    async def add_role(self, name: str, description: str, model: ModelRef) -> ModelRole:
        return await self._change(lambda connection: roles.add(connection, name, description, model))

    async def describe_role(self, name: str, description: str) -> None:
        await self._change(lambda connection: roles.describe(connection, name, description))

    async def remove_role(self, name: str) -> None:
        await self._change(lambda connection: roles.remove(connection, name))

    async def _require_files(self, models: tuple[str, ...]) -> None:
        """Raise MODEL_UNKNOWN unless every model is a file on this computer."""
        here = {model.name for model in await self._local.catalogue() if model.here}
        for model in models:
            if model not in here:
                detail = f"the model files here are: {', '.join(sorted(here)) or 'none'}"
                raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, detail, model=model[:100])

    def _client(self, kind: ProviderKind) -> ModelClient:
        return self._local if kind is ProviderKind.LOCAL else self._remote

    async def _change(self, work: Work[Result]) -> Result:
        result = await self._database.write(work)
        self._events.publish(RolesChanged())
        return result

    async def _keep(self, draft: ProviderDraft, address: Address, key: Secret) -> str:
        registration = Registration((address.host,), plain_http="" if address.https else address.origin)
        wanted = ConnectionDraft(draft.name, CONNECTION_KIND, Placement.BEARER, registration)
        return (await self._vault.add(wanted, key)).id


def _check_key(draft: ProviderDraft, key: Secret | None) -> None:
    if key is not None and draft.kind in _WITHOUT_KEY:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "a model file needs no key", field="key", why="why.key_needless"
        )
    usual = draft.kind in USUAL and not draft.base_url.strip()
    if key is None and draft.kind in _KEY_NEEDED and usual:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "this provider needs a key", field="key", why="why.key_needed"
        )


def _provider_of(connection: Connection, model: ModelRef) -> Provider:
    roles.require_model(connection, model)
    return providers.get(connection, model.provider)


def _choice(connection: Connection, wanted: str, default_role: str) -> ModelChoice:
    if "/" in wanted:
        provider, _, name = wanted.partition("/")
        model = ModelRef(provider, name)
        roles.require_model(connection, model)
        return ModelChoice(model, ChosenBy.USER)
    role = roles.find(connection, wanted or default_role)
    if role is None:
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, "no such role or model", model=wanted or default_role)
    if role.model is not None:
        return ModelChoice(role.model, ChosenBy.CHAT_ROLE if role.name == roles.CHAT else ChosenBy.ROLE)
    chat = roles.find(connection, roles.CHAT)
    if chat is None or chat.model is None:
        raise NotochordError(
            Code.MODEL_NOT_CHOSEN, Fault.USER, "the chat role has no model", role=wanted or default_role
        )
    return ModelChoice(chat.model, ChosenBy.CHAT_ROLE)
