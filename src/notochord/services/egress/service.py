"""The gateway: judges each hop, asks the vault at the moment of sending, and watches what comes back."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.egress import messages
from notochord.services.egress.api import CredentialDenied, Leave, NetworkRules, Request, Response
from notochord.services.egress.decision import Hop, Rights, judge
from notochord.services.egress.messages import Message
from notochord.services.egress.ports import Attachments, Incoming, Outgoing, Proxy, Resolver, Sender
from notochord.services.egress.proxies import Environment, choose
from notochord.services.egress.redaction import Redaction
from notochord.services.egress.rules import SETTING, Rules, from_json, normal_entry, normal_rules, read_rules, to_json
from notochord.services.egress.streams import GuardedStream, timed_out
from notochord.services.egress.url import Url, join, read_url, with_query
from notochord.services.settings.api import Settings
from notochord.services.vault.api import Attachment


@dataclass(slots=True)
class _Journey:
    """One request on its way through its hops."""

    request: Request
    rights: Rights
    message: Message
    url: Url
    typed: bool = True
    denied: CredentialDenied | None = None
    spellings: tuple[str, ...] = ()


class EgressService:
    """Everything that goes out goes through `fetch` or `open`. Close it after everybody who uses it."""

    def __init__(
        self,
        *,
        settings: Settings,
        vault: Attachments,
        resolver: Resolver,
        sender: Sender,
        environment: Mapping[str, str],
    ) -> None:
        self._settings = settings
        self._vault = vault
        self._resolver = resolver
        self._sender = sender
        self._environment = Environment(environment)
        self._compiled: tuple[NetworkRules, Rules] | None = None
        self._streams: set[GuardedStream] = set()

    async def fetch(self, request: Request) -> Response:
        """Send a request and read the whole answer within `timeout`; see `Egress.fetch`."""
        try:
            async with asyncio.timeout(request.timeout):
                stream = await self._travel(request)
                try:
                    body = await _read_all(stream)
                finally:
                    await stream.close()
        except TimeoutError:
            raise timed_out(request.timeout) from None
        return Response(stream.status, stream.url, stream.headers, body, stream.credential_denied)

    async def open(self, request: Request) -> GuardedStream:
        """Send a request and return when the headers are here; see `Gateway.open`."""
        try:
            async with asyncio.timeout(request.timeout):
                return await self._travel(request)
        except TimeoutError:
            raise timed_out(request.timeout) from None

    def check(self, url: str, leave: Leave) -> None:
        """Refuse what the address alone tells; see `Egress.check`."""
        address, rights = read_url(url), Rights(leave)
        rights.check_name(address, self._rules(), typed=rights.is_typed(address))

    def rules(self) -> NetworkRules:
        return from_json(self._settings.current(SETTING))

    def normal_entry(self, entry: str, *, local: bool) -> str:
        return normal_entry(entry, local=local)

    async def change_rules(self, rules: NetworkRules) -> None:
        """Store new rules; answers still arriving from a host that is no longer allowed are ended (OPEN-116)."""
        compiled = read_rules(rules)
        await self._settings.change(SETTING, to_json(normal_rules(rules)))
        for stream in tuple(self._streams):
            stream.judge_again(compiled)

    async def close(self) -> None:
        """End all answers and connections."""
        for stream in tuple(self._streams):
            await stream.close()
        await self._sender.close()

    def _rules(self) -> Rules:
        current = self.rules()
        if self._compiled is None or self._compiled[0] != current:
            self._compiled = (current, read_rules(current))
        return self._compiled[1]

    async def _travel(self, request: Request) -> GuardedStream:
        message = messages.read_message(request.method, request.headers, request.body)
        journey = _Journey(request, Rights(request.leave), message, read_url(request.url))
        for _ in range(request.most_redirects + 1):
            _require_https(request, journey.url)
            hop = await judge(journey.url, journey.rights, self._rules(), self._resolver, typed=journey.typed)
            incoming = await self._send(journey, hop)
            try:
                onward = self._onward(journey, incoming)
                if onward is None:
                    return self._guarded(journey, hop, incoming)
            except BaseException:
                await incoming.close()
                raise
            await incoming.close()
            journey.message = messages.redirected(journey.message, incoming.status, journey.url, onward)
            journey.typed, journey.url = hop.typed, onward
        raise NotochordError(
            Code.NETWORK_REDIRECTS,
            Fault.NETWORK,
            "too many redirects",
            host=journey.url.host.text,
            count=request.most_redirects,
        )

    async def _send(self, journey: _Journey, hop: Hop) -> Incoming:
        attachment = await self._attachment(journey, hop.url)
        url = hop.url if attachment is None else with_query(hop.url, attachment.query)
        outgoing = Outgoing(
            method=journey.message.method,
            scheme=hop.url.scheme,
            host=hop.url.host.text,
            port=hop.url.port,
            addresses=tuple(str(address) for address in hop.addresses),
            target=url.target,
            headers=messages.complete(journey.message, hop.url, attachment),
            body=journey.message.body,
            proxy=self._proxy(hop),
        )
        return await self._sender.send(outgoing)

    def _proxy(self, hop: Hop) -> Proxy | None:
        """This computer and the internal network are reached directly, typed or listed."""
        return None if hop.local else choose(self._rules().proxy, self._environment, hop.url, hop.addresses)

    async def _attachment(self, journey: _Journey, url: Url) -> Attachment | None:
        connection = journey.request.leave.connection
        if not connection:
            return None
        answer = await self._vault.attachment(connection, str(url))
        if isinstance(answer, Attachment):
            journey.denied = None
            journey.spellings += answer.spellings
            return answer
        journey.denied = CredentialDenied(answer.reason, answer.host)
        return None

    def _onward(self, journey: _Journey, incoming: Incoming) -> Url | None:
        """Return where to go next; the secret is taken out of a `Location` before it is followed."""
        location = messages.location_of(incoming.status, incoming.headers)
        if location is None or not journey.request.follow_redirects:
            return None
        onward = join(journey.url, Redaction(journey.spellings).text(location))
        if journey.request.stay_on_host and onward.authority != journey.url.authority:
            return None
        return onward

    def _guarded(self, journey: _Journey, hop: Hop, incoming: Incoming) -> GuardedStream:
        stream = GuardedStream(
            incoming=incoming,
            hop=hop,
            rights=journey.rights,
            redaction=Redaction(journey.spellings),
            request=journey.request,
            credential_denied=journey.denied,
            on_close=self._streams.discard,
        )
        self._streams.add(stream)
        stream.judge_again(self._rules())  # they may have changed while the answer was on its way
        return stream


def _require_https(request: Request, url: Url) -> None:
    """Refuse a hop that would go unencrypted where the request says that none may."""
    if request.https_only and url.scheme != "https":
        detail = f"{url.authority} would be asked without encryption; only https addresses are used here"
        raise NotochordError(Code.NETWORK_ADDRESS_INVALID, Fault.NETWORK, detail, address=str(url))


async def _read_all(stream: GuardedStream) -> bytes:
    parts = []
    while part := await stream.read():
        parts.append(part)
    return b"".join(parts)
