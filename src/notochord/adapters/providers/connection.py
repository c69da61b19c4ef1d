"""What the clients of all providers share: an HTTP client without secrets of its own, and errors in one form."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeAlias

from notochord.core.errors import NotochordError
from notochord.services.models.ports import Endpoint, FailureKind, Leave, ProviderFailure

if TYPE_CHECKING:
    import httpx2

HttpClients: TypeAlias = "Callable[[Leave], httpx2.AsyncClient]"
"""Makes an HTTP client whose every request is judged, and given its secret, on the way out."""

PLACEHOLDER = "placeholder"
"""What the clients of providers hold in place of a key."""

CONNECT_SECONDS = 20.0
READ_SECONDS = 600.0
"""Between two pieces of an answer; a model on the user's own machine may be loaded first."""

LARGEST_BODY = 64 * 1024 * 1024
_DETAIL = 2_000
_SENT = frozenset(
    {
        "accept",
        "accept-encoding",
        "anthropic-version",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
        "user-agent",
    }
)


class Connections:
    """Opens HTTP clients and closes all that are still open at the end."""

    def __init__(self, http_clients: HttpClients) -> None:
        self._make = http_clients
        self._open: set[httpx2.AsyncClient] = set()

    @asynccontextmanager
    async def client(self, endpoint: Endpoint) -> "AsyncIterator[httpx2.AsyncClient]":
        """Lend an HTTP client for one call."""
        client = self._make(endpoint.leave)
        hooks = client.event_hooks
        hooks["request"].append(_keep_known_headers)
        hooks["response"].append(_limit_body)
        client.event_hooks = hooks
        self._open.add(client)
        try:
            yield client
        finally:
            self._open.discard(client)
            await client.aclose()

    async def close(self) -> None:
        for client in tuple(self._open):
            await client.aclose()


def timeout() -> "httpx2.Timeout":
    """Return how long a call may stand still."""
    import httpx2

    return httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)


async def _keep_known_headers(request: "httpx2.Request") -> None:
    """Send what the protocol needs; nothing about this machine, nothing from its environment."""
    for name in list(request.headers):
        if name.lower() not in _SENT:
            del request.headers[name]
    request.headers["user-agent"] = "Notochord"


async def _limit_body(response: "httpx2.Response") -> None:
    import httpx2

    class Limited(httpx2.AsyncByteStream):
        def __init__(self, stream: httpx2.AsyncByteStream) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = LARGEST_BODY
            async for chunk in self._stream:
                left -= len(chunk)
                if left < 0:
                    raise ProviderFailure(FailureKind.FLOOD, f"the answer has more than {LARGEST_BODY} bytes")
                yield chunk

        async def aclose(self) -> None:
            await self._stream.aclose()

    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = Limited(response.stream)


@contextmanager
def failures() -> Iterator[None]:
    """Turn what a provider's client raises into ProviderFailure; a refusal of our own comes through as it is."""
    try:
        yield
    except (ProviderFailure, NotochordError):
        raise
    except Exception as error:
        raise _translated(error) from error


def _translated(error: Exception) -> Exception:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, NotochordError | ProviderFailure):
            return cause
        cause = cause.__cause__ or cause.__context__
    import httpx2

    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return _by_status(error, status)
    text = str(error)[:_DETAIL]
    if isinstance(error, httpx2.TransportError | httpx2.StreamError) or _is_connection_error(error):
        return ProviderFailure(FailureKind.LOST, text or type(error).__name__)
    if isinstance(error, ValueError | TypeError | AttributeError | LookupError):
        return ProviderFailure(FailureKind.BROKEN, f"the answer makes no sense: {text}")
    body = getattr(error, "body", None)
    return ProviderFailure(FailureKind.STATUS, _message(body, text), status=_status_in(body))


def _is_connection_error(error: Exception) -> bool:
    return any(kind.__name__ == "APIConnectionError" for kind in type(error).__mro__)


def _by_status(error: Exception, status: int) -> ProviderFailure:
    body = getattr(error, "body", None)
    headers = getattr(getattr(error, "response", None), "headers", {})
    if status < 400:  # an error that came inside of an answer
        status = _status_in(body)
    return ProviderFailure(
        FailureKind.STATUS,
        _message(body, str(error)),
        status=status,
        retry_after=_retry_after(headers.get("retry-after"), headers.get("date")),
    )


def _message(body: object, otherwise: str) -> str:
    inner = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(inner, dict):
        said = [str(inner[key]) for key in ("type", "code", "message") if inner.get(key) not in (None, "")]
        metadata = inner.get("metadata")
        if isinstance(metadata, dict) and metadata.get("raw"):
            said.append(str(metadata["raw"]))
        if said:
            return ": ".join(said)[:_DETAIL]
    return (inner if isinstance(inner, str) else otherwise)[:_DETAIL]


_STATUS_OF_TYPE = {
    "overloaded_error": 529,
    "api_error": 500,
    "rate_limit_error": 429,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "invalid_request_error": 400,
}


def _status_in(body: object) -> int:
    """Return the status that an error in the middle of an answer speaks of; 500 if it says none."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(inner, str):
        try:
            return _status_in(json.loads(inner))
        except ValueError:
            return 500
    if not isinstance(inner, dict):
        return 500
    code = inner.get("code")
    if isinstance(code, int) and 400 <= code < 600:
        return code
    return _STATUS_OF_TYPE.get(str(inner.get("type")), 500)


def _retry_after(value: str | None, date: str | None) -> float | None:
    """Return the seconds of a Retry-After header: a number, or a date held against the server's own clock."""
    if value is None:
        return None
    try:
        return max(0.0, float(value)) if float(value) < float("inf") else None
    except ValueError:
        pass
    try:
        until, now = parsedate_to_datetime(value), parsedate_to_datetime(date or "")
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError, OverflowError):  # no dates, one of them without a zone, or beyond the calendar
        return None
