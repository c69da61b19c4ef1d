"""The client for every provider that is reached over the network."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from notochord.adapters.providers import anthropic_wire, openai_wire
from notochord.adapters.providers.connection import PLACEHOLDER, Connections, HttpClients, failures, timeout
from notochord.adapters.providers.libraries import Libraries
from notochord.services.models.ports import Endpoint, Piece, ProviderKind, WireCall

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncAnthropic
    from openai import AsyncOpenAI

MOST_MODELS = 2_000


class ProviderClients:
    """A `ModelClient` on the official clients, which never see a key and never try again by themselves."""

    def __init__(self, *, http_clients: HttpClients) -> None:
        self._connections = Connections(http_clients)
        self._libraries = Libraries()

    async def stream(self, call: WireCall) -> AsyncGenerator[Piece]:
        await self._libraries.load(call.endpoint.kind)
        async with self._connections.client(call.endpoint) as http:
            with failures():
                anthropic = call.endpoint.kind is ProviderKind.ANTHROPIC
                source = _anthropic_events(call, http) if anthropic else _openai_chunks(call, http)
                reader = anthropic_wire.EventReader() if anthropic else openai_wire.ChunkReader()
                async with aclosing(source) as events:
                    async for event in events:
                        for piece in reader.read(event):
                            yield piece
                for piece in reader.end():
                    yield piece

    async def models(self, endpoint: Endpoint) -> tuple[str, ...]:
        await self._libraries.load(endpoint.kind)
        async with self._connections.client(endpoint) as http:
            with failures():
                anthropic = endpoint.kind is ProviderKind.ANTHROPIC
                client = _anthropic(endpoint, http) if anthropic else _openai(endpoint, http)
                names: list[str] = []
                async for model in client.models.list():
                    names.append(str(model.id).removeprefix("models/"))
                    if len(names) >= MOST_MODELS:
                        break
                return tuple(names)

    async def close(self) -> None:
        await self._connections.close()


async def _openai_chunks(call: WireCall, http: "httpx2.AsyncClient") -> AsyncGenerator[dict[str, Any]]:
    request = openai_wire.body(call)
    async with await _openai(call.endpoint, http).chat.completions.create(stream=True, **request) as stream:
        async for chunk in stream:
            yield chunk.model_dump(exclude_unset=True, warnings=False)


async def _anthropic_events(call: WireCall, http: "httpx2.AsyncClient") -> AsyncGenerator[dict[str, Any]]:
    request = anthropic_wire.body(call)
    async with await _anthropic(call.endpoint, http).messages.create(stream=True, **request) as stream:
        async for event in stream:
            yield event.model_dump(exclude_unset=True, warnings=False)


def _openai(endpoint: Endpoint, http: "httpx2.AsyncClient") -> "AsyncOpenAI":
    from openai import AsyncOpenAI

    return AsyncOpenAI(
        api_key=PLACEHOLDER,
        base_url=endpoint.base_url,
        http_client=http,
        max_retries=0,
        timeout=timeout(),
    )


def _anthropic(endpoint: Endpoint, http: "httpx2.AsyncClient") -> "AsyncAnthropic":
    from anthropic import AsyncAnthropic

    return AsyncAnthropic(
        api_key=PLACEHOLDER,
        base_url=endpoint.base_url,
        http_client=http,
        max_retries=0,
        timeout=timeout(),
    )
