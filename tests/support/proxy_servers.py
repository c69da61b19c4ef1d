"""A proxy on the loopback interface that tunnels to where the test says, and remembers what it was asked."""

import asyncio
import contextlib
import ssl
from collections.abc import Mapping

from support.http_servers import LoopbackServer, Received, Reply, read_request, write_reply


class ConnectProxy(LoopbackServer):
    """Serves CONNECT. `routes` maps `address:port` to the port on 127.0.0.1 that is reached instead.

    Everything not in `routes` is answered with 403. `asked` has every request in order.
    """

    def __init__(self, routes: Mapping[str, int], *, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.routes = dict(routes)
        self.asked: list[Received] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await read_request(reader)
        self.asked.append(request)
        port = self.routes.get(request.target)
        if request.method != "CONNECT" or port is None:
            await write_reply(writer, Reply(403, body=b"no"))
            return
        upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            await asyncio.gather(_copy(reader, upstream_writer), _copy(upstream_reader, writer))
        finally:
            upstream_writer.close()
            with contextlib.suppress(ConnectionError):
                await upstream_writer.wait_closed()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    with contextlib.suppress(OSError):
        if writer.can_write_eof():
            writer.write_eof()
        else:
            writer.close()
