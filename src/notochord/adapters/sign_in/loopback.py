"""Listens on 127.0.0.1 for one redirect of the system's browser, and trusts nobody who can connect there.

Any program and any web page can reach such a port. So the request has to be a GET for exactly the one path and this
very host, the state decides (see `services.accounts.oauth.verdict`), one yes or no ends it, and everything else is
answered with an error that changes nothing.
"""

import asyncio
import contextlib
import html
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import parse_qs

from notochord.core.tasks import Lifetime
from notochord.services.accounts.ports import Parameters, ReturnPages

HOST = "127.0.0.1"
MOST_HEAD_BYTES = 16 * 1024
MOST_AT_ONCE = 16
MOST_FIELDS = 32
SECONDS_FOR_HEAD = 5.0

_REQUEST = re.compile(r"GET (/[^ ?#]*)(?:\?([^ #]*))? HTTP/1\.[01]")
_REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 503: "Service Unavailable"}
_HEADERS = (
    "Content-Type: text/html; charset=utf-8\r\n"
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
    "Cache-Control: no-store\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Connection: close\r\n"
)

Accept = Callable[[Parameters], bool | None]


class LoopbackRedirects:
    """Implements `Redirects`."""

    @asynccontextmanager
    async def waiting(self, path: str, accept: Accept, pages: ReturnPages) -> AsyncIterator["LoopbackWaiting"]:
        """Listen while the block runs; see `Redirects.waiting`."""
        waiting = LoopbackWaiting(path, accept, pages)
        await waiting.open()
        try:
            yield waiting
        finally:
            await waiting.close()


class LoopbackWaiting:
    """Implements `Waiting`."""

    def __init__(self, path: str, accept: Accept, pages: ReturnPages) -> None:
        self.uri = ""
        self._path = path
        self._accept = accept
        self._pages = pages
        self._authority = ""
        self._lifetime = Lifetime("sign-in")
        self._server: asyncio.Server | None = None
        self._at_once = 0
        self._found: asyncio.Future[Parameters] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        """Listen on a port of the system's choice; `uri` is then where the browser has to go."""
        self._server = await asyncio.start_server(self._connected, HOST, 0, limit=MOST_HEAD_BYTES)
        self._authority = f"{HOST}:{self._server.sockets[0].getsockname()[1]}"
        self.uri = f"http://{self._authority}{self._path}"

    async def redirect(self) -> Parameters:
        """Return the query of the redirect that was accepted; by then the browser has its page."""
        return await self._found

    async def close(self) -> None:
        """Listen no more, and end what is still connected."""
        if self._server is not None:
            self._server.close()
        await self._lifetime.close()
        if self._server is not None:
            await self._server.wait_closed()
        self._found.cancel()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._at_once >= MOST_AT_ONCE:
            writer.transport.abort()
            return
        self._at_once += 1
        _ = self._lifetime.start("request", self._serve(reader, writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                async with asyncio.timeout(SECONDS_FOR_HEAD):
                    head = await reader.readuntil(b"\r\n\r\n")
                    query, status, text = self._judged(head.decode("latin-1"))
                    writer.write(_page(status, text))
                    await writer.drain()
                if query is not None and not self._found.done():
                    writer.write_eof()
                    self._found.set_result(query)
        finally:
            self._at_once -= 1
            writer.close()

    def _judged(self, head: str) -> tuple[Parameters | None, int, str]:
        """Return the query if it ends the wait, and what to answer."""
        query = None if self._found.done() else self._query(head)
        if query is None:
            return None, 404, ""
        verdict = self._accept(query)
        if verdict is None:
            return None, 400, ""
        return query, 200, self._pages.yes if verdict else self._pages.no

    def _query(self, head: str) -> Parameters | None:
        """Return the query of a GET for this very place; None for any other request."""
        first, *lines = head.removesuffix("\r\n\r\n").split("\r\n")
        match = _REQUEST.fullmatch(first)
        hosts = [value.strip() for name, _, value in (line.partition(":") for line in lines) if name.lower() == "host"]
        if match is None or match[1] != self._path or hosts != [self._authority]:
            return None
        try:
            found = parse_qs(match[2] or "", keep_blank_values=True, strict_parsing=True, max_num_fields=MOST_FIELDS)
        except ValueError:
            return None
        return {name: tuple(values) for name, values in found.items()}


def _page(status: int, text: str) -> bytes:
    """Return an answer that holds nothing of the request."""
    body = f"<!doctype html><meta charset=utf-8><title>Notochord</title><p>{html.escape(text)}</p>".encode()
    head = f"HTTP/1.1 {status} {_REASONS[status]}\r\n{_HEADERS}Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body
