"""Makes `httpx2` clients for libraries that want one: each of their requests goes through the gateway."""

from collections.abc import AsyncGenerator

import httpx2

from notochord.services.egress.ports import Gateway, Leave, Request, Stream

MOST_BYTES = 256 * 1024 * 1024
SILENCE_SECONDS = 600.0

# What a library believes to be the key is a placeholder; the vault's attachment takes its place.
_DROPPED = frozenset({"authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie"})


class EgressClients:
    """A factory of clients whose rights are fixed when they are made."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def client(self, leave: Leave, *, max_bytes: int = MOST_BYTES) -> httpx2.AsyncClient:
        """Return a client that sends under `leave`, whatever address the library asks for.

        Its read timeout bounds the wait for the headers and for each later piece. Cookies are neither kept nor sent,
        redirects are judged and followed by the gateway. A refusal is raised as NotochordError: openai lets it pass,
        anthropic wraps it in its APIConnectionError with ours as the `__cause__`. The owner closes the client.
        """
        transport = GatewayTransport(self._gateway, leave, max_bytes=max_bytes)
        return httpx2.AsyncClient(transport=transport, follow_redirects=False, trust_env=False, timeout=SILENCE_SECONDS)


class GatewayTransport(httpx2.AsyncBaseTransport):
    """Hands requests of `httpx2` to the gateway and its answers back."""

    def __init__(self, gateway: Gateway, leave: Leave, *, max_bytes: int) -> None:
        self._gateway = gateway
        self._leave = leave
        self._max_bytes = max_bytes

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        limits = request.extensions.get("timeout", {})
        stream = await self._gateway.open(
            Request(
                method=request.method,
                url=str(request.url),
                leave=self._leave,
                headers=tuple(
                    (name, value) for name, value in request.headers.multi_items() if name.lower() not in _DROPPED
                ),
                body=await request.aread(),
                max_bytes=self._max_bytes,
                timeout=limits.get("read") or SILENCE_SECONDS,
            )
        )
        headers = [(name, value) for name, value in stream.headers if name.lower() != "set-cookie"]
        return httpx2.Response(stream.status, headers=headers, stream=_Pieces(stream))


class _Pieces(httpx2.AsyncByteStream):
    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        while piece := await self._stream.read():
            yield piece

    async def aclose(self) -> None:
        await self._stream.close()
