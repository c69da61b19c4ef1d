"""A models service on a real database, with stand-ins for its neighbours behind their doors."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from notochord.adapters.providers.clients import ProviderClients
from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.persistence.database import Database
from notochord.services.egress.api import Leave, NetworkRules, Request, Response
from notochord.services.models.api import (
    ChosenBy,
    LocalModel,
    Message,
    ModelChoice,
    ModelEvent,
    ModelRef,
    ModelRequest,
    Progress,
    ProviderDraft,
    ProviderKind,
    Reply,
    Role,
    Text,
    ToolSpec,
)
from notochord.services.models.capabilities import CapabilityList
from notochord.services.models.component import COMPONENT
from notochord.services.models.ports import Endpoint, LocalModelClient, Piece, WireCall
from notochord.services.models.service import ModelsService
from notochord.services.usage.api import Use, UseTotal
from notochord.services.vault.api import Attachment, AttachmentDenied, Connection, ConnectionDraft, Secret
from support.clocks import HandClock

KEY = bytes(range(32))
CALLER = Caller(Actor.AGENT, "chat", Cause(conversation="c", run="r"))


class ImpatientClock(HandClock):
    """A hand that jumps ahead instead of waiting; `slept` tells by how much."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)
        await asyncio.sleep(0)


class UsageLog:
    """Remembers what was counted."""

    def __init__(self) -> None:
        self.uses: list[Use] = []

    async def record(self, use: Use) -> None:
        self.uses.append(use)

    async def totals(self, *, since_day: str = "") -> tuple[UseTotal, ...]:
        return ()


class MemoryVault:
    """Keeps secrets in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[Connection, Secret]] = {}
        self._made = 0

    async def add(self, draft: ConnectionDraft, secret: Secret) -> Connection:
        self._made += 1
        number = f"connection-{self._made}"
        connection = Connection(number, draft.name, draft.kind, draft.placement, draft.registration, draft.field)
        self.kept[number] = (connection, secret)
        return connection

    async def replace_secret(self, connection: str, secret: Secret) -> None:
        self.kept[connection] = (self.kept[connection][0], secret)

    async def remove(self, connection: str) -> None:
        del self.kept[connection]

    async def connections(self) -> tuple[Connection, ...]:
        return tuple(connection for connection, _ in self.kept.values())

    async def attachment(self, connection: str, url: str) -> Attachment | AttachmentDenied:
        secret = self.kept[connection][1].reveal()
        return Attachment((("authorization", f"Bearer {secret}"),), (), (secret,))

    async def store_key(self, owner: str) -> bytes:
        return KEY

    async def forget_store_key(self, owner: str) -> None:
        return None


class FixedEgress:
    """Gives one answer to every request, or an error; remembers the requests."""

    def __init__(self) -> None:
        self.answer: Response | NotochordError = NotochordError(Code.NETWORK_UNREACHABLE, Fault.NETWORK)
        self.requests: list[Request] = []

    async def fetch(self, request: Request) -> Response:
        self.requests.append(request)
        if isinstance(self.answer, NotochordError):
            raise self.answer
        return self.answer

    def check(self, url: str, leave: Leave) -> None:
        return None

    def rules(self) -> NetworkRules:
        raise AssertionError("not asked for")

    def normal_entry(self, entry: str, *, local: bool) -> str:
        return entry

    async def change_rules(self, rules: NetworkRules) -> None:
        raise AssertionError("not asked for")


class NoLocalModels:
    """A computer without model files."""

    async def stream(self, call: WireCall) -> AsyncIterator[Piece]:
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER)
        yield

    async def models(self, endpoint: Endpoint) -> tuple[str, ...]:
        return ()

    async def close(self) -> None:
        return None

    async def catalogue(self) -> tuple[LocalModel, ...]:
        return ()

    async def obtain(self, name: str, progress: Progress | None = None) -> LocalModel:
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER)

    async def take_in(self, file: Path, progress: Progress | None = None) -> LocalModel:
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER)

    async def discard(self, name: str) -> None:
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER)


class Lent:
    """A client of model files that its owner closes."""

    def __init__(self, client: LocalModelClient) -> None:
        self.stream = client.stream
        self.models = client.models
        self.catalogue = client.catalogue
        self.obtain = client.obtain
        self.take_in = client.take_in
        self.discard = client.discard

    async def close(self) -> None:
        return None


@dataclass
class HttpClients:
    """Makes plain clients that put the vault's secret in place of whatever the request carries."""

    vault: MemoryVault
    leaves: list[Leave] = field(default_factory=list)
    carried: list[str] = field(default_factory=list)
    refusal: NotochordError | None = None

    def __call__(self, leave: Leave) -> httpx2.AsyncClient:
        self.leaves.append(leave)

        async def attach(request: httpx2.Request) -> None:
            if self.refusal is not None:
                raise self.refusal
            self.carried.append(request.headers.get("authorization", ""))
            if leave.connection:
                found = await self.vault.attachment(leave.connection, str(request.url))
                assert isinstance(found, Attachment)
                request.headers.update(dict(found.headers))

        return httpx2.AsyncClient(event_hooks={"request": [attach]}, trust_env=False)


@dataclass
class ModelsBench:
    """A service and what stands around it."""

    service: ModelsService
    database: Database
    clock: ImpatientClock
    usage: UsageLog
    vault: MemoryVault
    egress: FixedEgress
    clients: HttpClients
    events: EventBus

    async def connect(self, kind: ProviderKind, base_url: str, *models: str, name: str = "p") -> None:
        """Connect a provider whose first model is then that of the chat role."""
        await self.service.add_provider(ProviderDraft(name, kind, base_url, models or ("alpha",)), None)


@asynccontextmanager
async def models_bench(folder: Path, *, local: LocalModelClient | None = None) -> AsyncIterator[ModelsBench]:
    """Run a models service on the database in `folder`; `local` runs model files and outlives the service."""
    database = await Database.open(folder / "main.db", KEY, (COMPONENT,))
    vault, usage, egress, clock, events = MemoryVault(), UsageLog(), FixedEgress(), ImpatientClock(), EventBus()
    clients = HttpClients(vault)
    service = ModelsService(
        database=database,
        vault=vault,
        usage=usage,
        egress=egress,
        remote=ProviderClients(http_clients=clients),
        local=Lent(local) if local else NoLocalModels(),
        capabilities=CapabilityList.bundled(),
        clock=clock,
        events=events,
    )
    try:
        yield ModelsBench(service, database, clock, usage, vault, egress, clients, events)
    finally:
        await service.close()
        await database.close()


def request(
    *messages: Message | str,
    model: ModelRef = ModelRef("p", "alpha"),  # noqa: B008 - a frozen value
    tools: Sequence[ToolSpec] = (),
    system: str = "You help.",
    feature: str = "chat",
    max_output_tokens: int = 0,
    temperature: float | None = None,
) -> ModelRequest:
    """Return a request; a plain text is a message of the user."""
    return ModelRequest(
        choice=ModelChoice(model, ChosenBy.CHAT_ROLE),
        feature=feature,
        caller=CALLER,
        system=system,
        messages=tuple(Message(Role.USER, (Text(item),)) if isinstance(item, str) else item for item in messages),
        tools=tuple(tools),
        max_output_tokens=max_output_tokens,
        temperature=temperature,
    )


async def events_of(service: ModelsService, wanted: ModelRequest) -> list[ModelEvent]:
    """Return everything that a call yields."""
    return [event async for event in service.stream(wanted)]


async def reply_of(service: ModelsService, wanted: ModelRequest) -> Reply:
    """Return the end of a call."""
    last = (await events_of(service, wanted))[-1]
    assert isinstance(last, Reply)
    return last
