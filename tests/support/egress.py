"""A gateway to test against: settings in memory, a vault with one secret, a resolver and a sender that remember."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import quote, urlsplit

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.egress.api import Leave, NetworkRules, OutsideMode, Request
from notochord.services.egress.ports import Outgoing, Sender
from notochord.services.egress.service import EgressService
from notochord.services.settings.api import Setting
from notochord.services.vault.api import Attachment, AttachmentDenied, Connection, ConnectionDraft, Denial, Secret

Value = TypeVar("Value", bound=Json)

AGENT = Caller(Actor.AGENT, "chat")
PUBLIC = "93.184.216.34"


def rules(
    *,
    mode: str = "block",
    blocked: Sequence[str] = (),
    allowed: Sequence[str] = (),
    local: Sequence[str] = (),
    proxy: str = "",
) -> NetworkRules:
    return NetworkRules(OutsideMode(mode), tuple(blocked), tuple(allowed), tuple(local), proxy)


def get(url: str, leave: Leave | None = None, **more: object) -> Request:
    """Return a GET request of an agent, or under `leave`."""
    return Request("GET", url, leave or Leave(AGENT), **more)  # type: ignore[arg-type]


class MemorySettings:
    """Settings without a disk."""

    def __init__(self) -> None:
        self.values: dict[str, Json] = {}

    def current(self, setting: Setting[Value]) -> Value:
        return self.values.get(setting.name, setting.default)  # type: ignore[return-value]

    async def change(self, setting: Setting[Value], value: Value) -> None:
        self.values[setting.name] = value


@dataclass(slots=True)
class OneSecretVault:
    """Knows the connection `conn`, whose secret goes to `hosts` over https, or to the origin `plain_http`."""

    secret: str = "s3cret-canary-Ünïcode+/="
    hosts: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    plain_http: str = ""
    header: str = "Authorization"
    prefix: str = "Bearer "
    query: str = ""
    asked: list[str] = field(default_factory=list)

    async def attachment(self, connection: str, url: str) -> Attachment | AttachmentDenied:
        self.asked.append(url)
        parts = urlsplit(url)
        host = parts.netloc
        if connection != "conn":
            return AttachmentDenied(Denial.NOT_CONNECTED, host)
        if self.plain_http != f"{parts.scheme}://{host}":
            if host not in self.hosts:
                return AttachmentDenied(Denial.HOST, host)
            if parts.scheme != "https":
                return AttachmentDenied(Denial.SCHEME, host)
        if self.paths and not any(parts.path.startswith(path) for path in self.paths):
            return AttachmentDenied(Denial.PATH, host)
        if self.query:
            return Attachment((), ((self.query, self.secret),), self.spellings)
        value = self.prefix + self.secret
        return Attachment(((self.header, value.encode().decode("latin-1")),), (), self.spellings)

    @property
    def spellings(self) -> tuple[str, ...]:
        plain = self.secret.encode()
        return (self.secret, quote(self.secret, safe=""), base64.b64encode(plain).decode(), plain.hex())

    async def add(self, draft: ConnectionDraft, secret: Secret) -> Connection:
        raise AssertionError("egress adds no connection")

    async def replace_secret(self, connection: str, secret: Secret) -> None:
        raise AssertionError("egress replaces no secret")

    async def remove(self, connection: str) -> None:
        raise AssertionError("egress removes no connection")

    async def connections(self) -> tuple[Connection, ...]:
        return ()

    async def store_key(self, owner: str) -> bytes:
        raise AssertionError("egress needs no store key")

    async def forget_store_key(self, owner: str) -> None:
        raise AssertionError("egress forgets no store key")


class HandResolver:
    """Knows what the test told it; the n-th question about a name gets its n-th answer, the last one for ever."""

    def __init__(self, names: Mapping[str, Sequence[str] | Sequence[Sequence[str]]] | None = None) -> None:
        self.names = dict(names or {})
        self.asked: list[str] = []

    async def resolve(self, host: str) -> tuple[str, ...]:
        self.asked.append(host)
        answers = self.names.get(host)
        if not answers:
            raise NotochordError(
                Code.NETWORK_UNREACHABLE, Fault.NETWORK, "no such name", host=host, reason="no such name"
            )
        if isinstance(answers[0], str):
            return tuple(str(answer) for answer in answers)
        turn = min(self.asked.count(host), len(answers)) - 1
        return tuple(answers[turn])


@dataclass(slots=True)
class Answer:
    """What the recording sender gives back."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    pieces: tuple[bytes, ...] = (b"ok",)


class MemoryIncoming:
    def __init__(self, answer: Answer) -> None:
        self.status = answer.status
        self.headers = answer.headers
        self._pieces = list(answer.pieces)
        self.closed = False

    async def read(self) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""

    async def close(self) -> None:
        self.closed = True


class RecordingSender:
    """Sends nothing; `sent` has everything that would have been dialled. `answers` are given in turn, then `ok`."""

    def __init__(self, *answers: Answer) -> None:
        self.sent: list[Outgoing] = []
        self.given: list[MemoryIncoming] = []
        self._answers = list(answers)

    def give(self, *answers: Answer) -> None:
        """Give these answers next."""
        self._answers = list(answers)

    async def send(self, outgoing: Outgoing) -> MemoryIncoming:
        self.sent.append(outgoing)
        incoming = MemoryIncoming(self._answers.pop(0) if self._answers else Answer())
        self.given.append(incoming)
        return incoming

    async def close(self) -> None:
        assert all(incoming.closed for incoming in self.given), "an answer was left open"


@dataclass(slots=True)
class Bench:
    """A gateway and the parts it stands on."""

    egress: EgressService
    settings: MemorySettings
    vault: OneSecretVault
    resolver: HandResolver
    sender: Sender


async def bench(
    sender: Sender,
    *,
    lists: NetworkRules | None = None,
    names: Mapping[str, Sequence[str] | Sequence[Sequence[str]]] | None = None,
    vault: OneSecretVault | None = None,
    environment: Mapping[str, str] | None = None,
) -> Bench:
    """Return a gateway over `sender`, with the user's `lists` and a resolver that knows `names`."""
    settings, vault, resolver = MemorySettings(), vault or OneSecretVault(), HandResolver(names)
    egress = EgressService(
        settings=settings, vault=vault, resolver=resolver, sender=sender, environment=environment or {}
    )
    if lists is not None:
        await egress.change_rules(lists)
    return Bench(egress, settings, vault, resolver, sender)
