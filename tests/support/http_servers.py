"""Small HTTP servers on the loopback interface whose answers a test decides; they remember what they were asked."""

import abc
import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

REASONS = {200: "OK", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other", 404: "Not Found"}
MOST_HEADER_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came over the wire."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the value of a header, None if it was not sent."""
        return next((value for found, value in self.headers if found.lower() == name.lower()), None)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. With `chunks` the body is sent piece by piece in chunked coding (server-sent events, slow answers).

    With `length` False neither length nor chunked coding is used: the end of the connection ends the body.
    """

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    chunks: AsyncIterator[bytes] | None = None
    length: bool = True


Handler = Callable[[Received], Awaitable[Reply]]


def always(reply: Reply) -> Handler:
    """Return a handler that gives the same answer to everything; not for a reply with `chunks`."""

    async def handler(request: Received) -> Reply:
        return reply

    return handler


async def events(lines: Iterable[str]) -> AsyncIterator[bytes]:
    """Yield each text as one server-sent event."""
    for line in lines:
        yield f"data: {line}\n\n".encode()
        await asyncio.sleep(0)


class LoopbackServer(abc.ABC):
    """Accepts connections on a free port of `host` for as long as the `async with` block runs."""

    def __init__(self, *, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> None:
        self.host = host
        self.port = 0
        self.connections = 0
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._accept, self.host, self.port, ssl=self._tls, limit=MOST_HEADER_BYTES
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}"

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            with contextlib.suppress(
                ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError
            ):
                await self.serve(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError, ssl.SSLError, asyncio.CancelledError):
                await writer.wait_closed()

    @abc.abstractmethod
    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it ends."""


class HttpServer(LoopbackServer):
    """Answers every request with what `handler` returns; `received` has all requests in order."""

    def __init__(self, handler: Handler, *, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(host=host, tls=tls)
        self.received: list[Received] = []
        self._handler = handler

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            request = await read_request(reader)
            self.received.append(request)
            reply = await self._handler(request)
            await write_reply(writer, reply, head=request.method == "HEAD")
            if not reply.length:
                return


async def read_request(reader: asyncio.StreamReader) -> Received:
    """Read one request with its body. Raises IncompleteReadError at the end of the connection."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.removesuffix("\r\n\r\n").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = tuple((name, value.strip()) for name, _, value in (line.partition(":") for line in lines))
    found = {name.lower(): value for name, value in headers}
    if found.get("transfer-encoding", "").lower() == "chunked":
        body = await read_chunked(reader)
    else:
        body = await reader.readexactly(int(found.get("content-length", "0")))
    return Received(method, target, headers, body)


async def read_chunked(reader: asyncio.StreamReader) -> bytes:
    parts = []
    while size := int((await reader.readline()).split(b";")[0], 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)


async def write_reply(writer: asyncio.StreamWriter, reply: Reply, *, head: bool = False) -> None:
    """Send an answer; `head` leaves the body out, as HEAD wants it."""
    lines = [f"HTTP/1.1 {reply.status} {REASONS.get(reply.status, 'Status')}"]
    lines += [f"{name}: {value}" for name, value in reply.headers]
    if not reply.length:
        lines.append("Connection: close")
    elif reply.chunks is not None:
        lines.append("Transfer-Encoding: chunked")
    elif reply.status not in (204, 304):
        lines.append(f"Content-Length: {len(reply.body)}")
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    if not head:
        writer.write(reply.body)
        await _write_chunks(writer, reply)
    await writer.drain()


async def _write_chunks(writer: asyncio.StreamWriter, reply: Reply) -> None:
    if reply.chunks is None:
        return
    async for chunk in reply.chunks:
        writer.write(chunk if not reply.length else b"%x\r\n%b\r\n" % (len(chunk), chunk))
        await writer.drain()
    if reply.length:
        writer.write(b"0\r\n\r\n")
