"""The transport of the clients that `EgressClients` makes: it asks the gateway for each request."""

from collections.abc import AsyncGenerator

import httpx2

from notochord.services.egress.ports import Gateway, Leave, Request, Stream

# What a library believes to be the key is a placeholder; the vault's attachment takes its place.
_DROPPED = frozenset({"authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie"})


class GatewayTransport(httpx2.AsyncBaseTransport):
    """Hands requests of `httpx2` to the gateway and its answers back."""

    def __init__(self, gateway: Gateway, leave: Leave, *, max_bytes: int, silence: float) -> None:
        self._gateway = gateway
        self._leave = leave
        self._max_bytes = max_bytes
        self._silence = silence

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
                timeout=limits.get("read") or self._silence,
                stay_on_host=bool(self._leave.typed_origin),
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
