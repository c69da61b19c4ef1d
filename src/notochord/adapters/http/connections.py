"""Speaks HTTP to the addresses that egress checked; connections are kept per target and closed at the end."""

import contextlib
import logging
import ssl
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import httpcore2
import httpx2

from notochord.adapters.http.dialing import CheckedBackend, TunnelBackend
from notochord.adapters.http.resolver import unreachable
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.egress.ports import Outgoing, Proxy, Resolver

MOST_TARGETS = 32
MOST_CONNECTIONS = 64
MOST_IDLE = 4
IDLE_SECONDS = 30.0
CONNECT_SECONDS = 15.0
DECODED = frozenset({"gzip", "deflate", "identity", ""})

TargetKey = tuple[str, str, int, tuple[str, ...], Proxy | None]


@dataclass(slots=True)
class Target:
    """The connections to one checked target, and how many requests use them now."""

    pool: httpcore2.AsyncConnectionPool
    users: int = 0


class Connections:
    """What `HttpSender` sends over, in a module of its own because its libraries take a while to load."""

    def __init__(self, *, resolver: Resolver, tls: ssl.SSLContext | None) -> None:
        self._resolver = resolver
        self._tls_context = tls
        self._targets: OrderedDict[TargetKey, Target] = OrderedDict()
        # Its debug records hold the headers of answers before they were searched for secrets.
        logging.getLogger("httpcore2").setLevel(logging.INFO)

    async def send(self, outgoing: Outgoing) -> "HttpIncoming":
        """Send a request; see `Sender.send`."""
        target = self._target(outgoing)
        target.users += 1
        try:
            await self._forget_oldest()
            with named_failures(outgoing.host):
                response = await target.pool.handle_async_request(_wire(outgoing))
        except BaseException:
            target.users -= 1
            raise
        incoming = HttpIncoming(outgoing.host, response, target)
        if not incoming.is_readable:
            await incoming.close()
            raise unreachable(outgoing.host, "the answer is packed in a way that was not asked for")
        return incoming

    async def close(self) -> None:
        """End all connections."""
        targets, self._targets = self._targets, OrderedDict()
        for target in targets.values():
            await target.pool.aclose()

    def _target(self, outgoing: Outgoing) -> Target:
        key = (outgoing.scheme, outgoing.host, outgoing.port, tuple(sorted(outgoing.addresses)), outgoing.proxy)
        target = self._targets.pop(key, None) or Target(self._new_pool(outgoing))
        self._targets[key] = target
        return target

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

    async def _forget_oldest(self) -> None:
        """Close the connections of targets that were used longest ago, unless they are in use."""
        unused = [key for key, target in self._targets.items() if not target.users]
        forgotten = [self._targets.pop(key) for key in unused[: max(0, len(self._targets) - MOST_TARGETS)]]
        for target in forgotten:
            await target.pool.aclose()

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

    def __init__(self, host: str, response: httpcore2.Response, target: Target) -> None:
        self.status = response.status
        self.headers = tuple((_text(name), _text(value)) for name, value in response.headers)
        self._host = host
        self._target: Target | None = target
        self._response = httpx2.Response(response.status, headers=response.headers, stream=_Body(response))
        self._pieces = self._response.aiter_bytes()

    @property
    def is_readable(self) -> bool:
        """Whether the body is packed in ways that can be undone, and so searched."""
        codings = self._response.headers.get_list("content-encoding", split_commas=True)
        return all(coding.strip().lower() in DECODED for coding in codings)

    async def read(self) -> bytes:
        """Return the next piece, empty at the end; see `Incoming.read`."""
        with named_failures(self._host):
            async for piece in self._pieces:
                if piece:
                    return piece
        return b""

    async def close(self) -> None:
        """Give the connection back, or end it if the answer was not read to its end."""
        target, self._target = self._target, None
        if target is None:
            return
        target.users -= 1
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._response.aclose)
            stack.push_async_callback(self._pieces.aclose)


def _wire(outgoing: Outgoing) -> httpcore2.Request:
    return httpcore2.Request(
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


@contextlib.contextmanager
def named_failures(host: str) -> Iterator[None]:
    """Turn the library's errors into ours. Their texts may quote a header, so none is passed on."""
    try:
        yield
    except NotochordError:
        raise
    except httpcore2.ProxyError:
        detail = "the proxy cannot be reached or refuses a tunnel to the checked address"
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
    httpcore2.RemoteProtocolError: "the answer is not valid HTTP or ends too early",
    httpcore2.ReadError: "the connection broke off",
    httpcore2.WriteError: "the connection broke off",
    httpx2.DecodingError: "the answer cannot be unpacked",
}


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")
