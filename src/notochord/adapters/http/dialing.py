"""Opens the connections: to the checked addresses and no others, straight or through a proxy's tunnel."""

import asyncio
import contextlib
import ipaddress
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence

import httpcore2

from notochord.core.errors import NotochordError
from notochord.services.egress.ports import Proxy, Resolver

HEAD_START_SECONDS = 0.3
"""How long one address may try before the next one joins (RFC 8305)."""

SocketOptions = Iterable[httpcore2.SOCKET_OPTION] | None
Dial = Callable[[str], Awaitable[httpcore2.AsyncNetworkStream]]


class CheckedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to the given addresses, whatever host the connection pool names."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = tuple(addresses)
        self._backend = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's signature
        local_address: str | None = None,
        socket_options: SocketOptions = None,
    ) -> httpcore2.AsyncNetworkStream:
        async def dial(address: str) -> httpcore2.AsyncNetworkStream:
            return await self._backend.connect_tcp(address, port, timeout, local_address, socket_options)

        return await first_to_connect(self._addresses, dial)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class TunnelBackend(httpcore2.AsyncNetworkBackend):
    """Asks a proxy for a tunnel to a checked address, for http as well: a proxy would look the name up again."""

    def __init__(
        self, addresses: Sequence[str], proxy: Proxy, *, resolver: Resolver, tls: Callable[[], ssl.SSLContext]
    ) -> None:
        self._addresses = tuple(addresses)
        self._proxy = proxy
        self._resolver = resolver
        self._tls = tls

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's signature
        local_address: str | None = None,
        socket_options: SocketOptions = None,
    ) -> httpcore2.AsyncNetworkStream:
        backend = CheckedBackend(await self._proxy_addresses())

        async def dial(address: str) -> httpcore2.AsyncNetworkStream:
            return await self._tunnel(
                backend, f"[{address}]:{port}" if ":" in address else f"{address}:{port}", timeout
            )

        return await first_to_connect(self._addresses, dial)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _proxy_addresses(self) -> tuple[str, ...]:
        with contextlib.suppress(ValueError):
            return (str(ipaddress.ip_address(self._proxy.host)),)
        try:
            return await self._resolver.resolve(self._proxy.host)
        except NotochordError:
            raise httpcore2.ProxyError("the name of the proxy was not found") from None

    async def _tunnel(
        self, backend: CheckedBackend, target: str, seconds: float | None
    ) -> httpcore2.AsyncNetworkStream:
        proxy = self._proxy
        scheme, host = proxy.scheme.encode(), proxy.host.encode()
        headers = [(b"Host", target.encode())]
        if proxy.authorization:
            headers.append((b"Proxy-Authorization", proxy.authorization.encode()))
        connection = httpcore2.AsyncHTTPConnection(
            origin=httpcore2.Origin(scheme, host, proxy.port),
            ssl_context=self._tls() if proxy.scheme == "https" else None,
            network_backend=backend,
        )
        try:
            answer = await connection.handle_async_request(
                httpcore2.Request(
                    method=b"CONNECT",
                    url=httpcore2.URL(scheme=scheme, host=host, port=proxy.port, target=target.encode()),
                    headers=headers,
                    extensions={"timeout": {"connect": seconds, "read": seconds, "write": seconds}},
                )
            )
            if not 200 <= answer.status < 300:
                raise httpcore2.ProxyError(f"the proxy answered {answer.status}")
        except BaseException as error:
            await connection.aclose()
            if isinstance(error, Exception):  # whatever fails on this stretch, the proxy is where to look
                raise httpcore2.ProxyError("no tunnel") from error
            raise
        stream: httpcore2.AsyncNetworkStream = answer.extensions["network_stream"]
        return stream


async def first_to_connect(addresses: Sequence[str], dial: Dial) -> httpcore2.AsyncNetworkStream:
    """Return the first connection that comes about; a slow or failed address lets the next one join.

    Raises what the last address raised when none answers.
    """
    waiting = list(addresses)
    running: set[asyncio.Task[httpcore2.AsyncNetworkStream]] = set()
    failure: BaseException = httpcore2.ConnectError("no address to connect to")
    try:
        while waiting or running:
            if waiting:
                running.add(asyncio.ensure_future(dial(waiting.pop(0))))
            pause = HEAD_START_SECONDS if waiting else None
            done, running = await asyncio.wait(running, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                error = task.exception()
                if error is None:
                    running |= done - {task}
                    return task.result()
                failure = error
        raise failure
    finally:
        await _drop(running)


async def _drop(tasks: set[asyncio.Task[httpcore2.AsyncNetworkStream]]) -> None:
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(result, BaseException):
            await result.aclose()
