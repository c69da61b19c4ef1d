"""Speaks HTTP to the addresses that egress checked; connections are kept per target and closed at the end."""

import contextlib
import logging
import ssl
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import httpcore2
import httpx2

from notochord.adapters.http.dialing import CheckedBackend, TunnelBackend
from notochord.adapters.http.resolver import unreachable
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.egress.ports import Outgoing, Proxy, Resolver

MOST_POOLS = 32
MOST_CONNECTIONS = 64
MOST_IDLE = 4
IDLE_SECONDS = 30.0
CONNECT_SECONDS = 15.0
DECODED = frozenset({"gzip", "deflate", "identity", ""})

PoolKey = tuple[str, str, int, tuple[str, ...], Proxy | None]


class HttpSender:
    """HTTP/1.1 over asyncio. `tls` replaces the system's trusted authorities."""

    def __init__(self, *, resolver: Resolver, tls: ssl.SSLContext | None = None) -> None:
        self._resolver = resolver
        self._tls_context = tls
        self._pools: OrderedDict[PoolKey, httpcore2.AsyncConnectionPool] = OrderedDict()
        # Its debug records hold the headers of answers before they were searched for secrets.
        logging.getLogger("httpcore2").setLevel(logging.INFO)

    async def send(self, outgoing: Outgoing) -> "HttpIncoming":
        """Send a request; see `Sender.send`."""
        pool = await self._pool(outgoing)
        request = httpcore2.Request(
            method=outgoing.method.encode(),
            url=httpcore2.URL(
                scheme=outgoing.scheme.encode(),
                host=outgoing.host.encode(),
                port=outgoing.port,
                target=outgoing.target.encode(),
            ),
            headers=[(name.encode("latin-1"), value.encode("latin-1")) for name, value in outgoing.headers],
            content=outgoing.body,
            extensions={"timeout": {"connect": CONNECT_SECONDS}},
        )
        with named_failures(outgoing.host):
            response = await pool.handle_async_request(request)
        try:
            return HttpIncoming(outgoing, response)
        except BaseException:
            await response.aclose()
            raise

    async def close(self) -> None:
        """End all connections."""
        pools, self._pools = self._pools, OrderedDict()
        for pool in pools.values():
            await pool.aclose()

    async def _pool(self, outgoing: Outgoing) -> httpcore2.AsyncConnectionPool:
        key = (outgoing.scheme, outgoing.host, outgoing.port, tuple(sorted(outgoing.addresses)), outgoing.proxy)
        pool = self._pools.pop(key, None) or self._new_pool(outgoing)
        self._pools[key] = pool
        await self._drop_idle()
        return pool

    def _new_pool(self, outgoing: Outgoing) -> httpcore2.AsyncConnectionPool:
        backend: httpcore2.AsyncNetworkBackend
        if outgoing.proxy is None:
            backend = CheckedBackend(outgoing.addresses)
        else:
            backend = TunnelBackend(outgoing.addresses, outgoing.proxy, resolver=self._resolver, tls=self._tls)
        return httpcore2.AsyncConnectionPool(
            ssl_context=self._tls() if outgoing.scheme == "https" else None,
            max_connections=MOST_CONNECTIONS,
            max_keepalive_connections=MOST_IDLE,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=backend,
        )

    async def _drop_idle(self) -> None:
        """Forget the targets that were used longest ago, unless they are in use."""
        for key, pool in tuple(self._pools.items())[:-1]:
            if len(self._pools) <= MOST_POOLS:
                return
            if all(connection.is_idle() for connection in pool.connections):
                del self._pools[key]
                await pool.aclose()

    def _tls(self) -> ssl.SSLContext:
        if self._tls_context is None:
            self._tls_context = httpx2.create_ssl_context()
        return self._tls_context


class _Body(httpx2.AsyncByteStream):
    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        async for piece in self._response.aiter_stream():
            yield piece

    async def aclose(self) -> None:
        await self._response.aclose()


class HttpIncoming:
    """An answer whose body is decoded as it is read."""

    def __init__(self, outgoing: Outgoing, response: httpcore2.Response) -> None:
        self.status = response.status
        self.headers = tuple((_text(name), _text(value)) for name, value in response.headers)
        self._host = outgoing.host
        codings = {
            coding.strip().lower()
            for name, value in self.headers
            if name.lower() == "content-encoding"
            for coding in value.split(",")
        }
        if not codings <= DECODED:
            raise unreachable(self._host, "the answer is packed in a way that was not asked for")
        self._response = httpx2.Response(response.status, headers=response.headers, stream=_Body(response))
        self._pieces = self._response.aiter_bytes()

    async def read(self) -> bytes:
        """Return the next piece, empty at the end; see `Incoming.read`."""
        with named_failures(self._host):
            async for piece in self._pieces:
                if piece:
                    return piece
        return b""

    async def close(self) -> None:
        """Give the connection back, or end it if the answer was not read to its end."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._response.aclose)
            stack.push_async_callback(self._pieces.aclose)


@contextlib.contextmanager
def named_failures(host: str) -> Iterator[None]:
    """Turn the library's errors into ours. Their texts may quote a header, so none is passed on."""
    try:
        yield
    except NotochordError:
        raise
    except httpcore2.ProxyError:
        detail = "the proxy refuses a tunnel to the checked address"
        raise NotochordError(Code.NETWORK_PROXY, Fault.NETWORK, detail) from None
    except (httpcore2.TimeoutException, httpx2.TimeoutException):
        raise unreachable(host, "no connection in time") from None
    except Exception as error:
        raise _named(host, error) from None


def _named(host: str, error: Exception) -> NotochordError:
    failure: BaseException | None = error
    while failure is not None:
        if isinstance(failure, ssl.SSLCertVerificationError):
            reason = failure.verify_message or "the certificate is not valid"
            return NotochordError(Code.NETWORK_TLS, Fault.NETWORK, f"{host}: {reason}", host=host, reason=reason)
        if isinstance(failure, ssl.SSLError):
            reason = failure.reason or "no secure connection"
            return NotochordError(Code.NETWORK_TLS, Fault.NETWORK, f"{host}: {reason}", host=host, reason=reason)
        failure = failure.__cause__ or failure.__context__
    return unreachable(host, _REASONS.get(type(error), "the connection failed"))


_REASONS: dict[type[Any], str] = {
    httpcore2.ConnectError: "nothing answers there",
    httpcore2.RemoteProtocolError: "the answer is no valid HTTP or ends too early",
    httpcore2.ReadError: "the connection broke off",
    httpcore2.WriteError: "the connection broke off",
    httpx2.DecodingError: "the answer cannot be unpacked",
}


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")
