"""Shows pages in a program apart, walled in as for users, and stands for what they must not reach."""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from support.page_program import Order, Seen

AS_SOMEBODY = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
"""The engine walls in nothing that the superuser starts: such a run of the tests takes another name for it."""

_TESTS = Path(__file__).parents[1]
_SOURCES = _TESTS.parent / "src"
_SECONDS = 150


def command() -> tuple[str, ...]:
    """Return how the program is started."""
    return (*(AS_SOMEBODY if os.geteuid() == 0 else ()), sys.executable, "-m", "support.page_program")


async def shown(order: Order, folder: Path) -> Seen:
    """Show a page until it reports or its time is over; skip where nothing can be walled in."""
    if os.geteuid() == 0 and shutil.which("unshare") is None:
        pytest.skip("needs unshare (util-linux)")
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": f"{_SOURCES}{os.pathsep}{_TESTS}", "LANG": "C.UTF-8",
        **{name: value for name, value in os.environ.items() if name.startswith("PAGE_")},
    }  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        *command(), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env=environment,
    )  # fmt: skip
    try:
        async with asyncio.timeout(_SECONDS):
            found, complaint = await process.communicate(json.dumps(asdict(order)).encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    text = complaint.decode(errors="replace")
    if "No usable sandbox" in text or "unshare failed" in text:
        pytest.skip("this system lets nobody make namespaces, which the engine's sandbox is made of")
    assert process.returncode == 0, text[-3000:]
    return Seen(**json.loads(found.splitlines()[-1]))


class Outside:
    """A server on this computer that notes who came: `/name` of each request, and datagrams. `/reached` tells it."""

    def __init__(self) -> None:
        self.port = 0
        self.reached: set[str] = set()
        self.connections = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            line = (await reader.readline()).decode(errors="replace").split(" ")
            if len(line) > 1:
                name = line[1].removeprefix("/").partition("?")[0]
                body = b"export default 1;"
                if name == "reached":
                    body = json.dumps(sorted(self.reached)).encode()
                else:
                    self.reached.add(name)
                head = (
                    f"HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-type: text/javascript\r\n"
                    f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
                )
                writer.write(head.encode() + body)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, outside: Outside) -> None:
        self._outside = outside

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self._outside.reached.add("datagram")


@asynccontextmanager
async def outside() -> AsyncIterator[Outside]:
    """Listen on one port of this computer, for connections and for datagrams."""
    found = Outside()
    server = await asyncio.start_server(found.answer, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()
    datagrams, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(found), ("127.0.0.1", found.port))
    try:
        yield found
    finally:
        datagrams.close()
        server.close()
        await server.wait_closed()
