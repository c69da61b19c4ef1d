"""Lines from standard input while the loop runs on: no thread, so that Ctrl-C ends a question at once."""

import asyncio
import os
import sys
import threading

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

MAX_BYTES = 1024 * 1024
_CHUNK = 65536


class LineInput:
    """Reads a descriptor line by line; what was read beyond a line is kept for the next."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = b""
        self._ended = False

    async def line(self) -> str | None:
        """Return the next line without its end; None at the end. Raises PAYLOAD_TOO_LARGE, INPUT_INVALID."""
        while b"\n" not in self._buffer and not self._ended:
            await self._more()
        if not self._buffer:
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return _decoded(line.removesuffix(b"\r"))

    def forget(self) -> None:
        """Drop what was read beyond the last line."""
        self._buffer = b""

    async def rest(self) -> str:
        """Return everything up to the end. Raises PAYLOAD_TOO_LARGE, INPUT_INVALID."""
        while not self._ended:
            await self._more()
        content, self._buffer = self._buffer, b""
        return _decoded(content)

    async def _more(self) -> None:
        chunk = await _read(self._descriptor)
        self._ended = not chunk
        self._buffer += chunk
        if len(self._buffer) > MAX_BYTES:
            raise NotochordError(
                Code.PAYLOAD_TOO_LARGE,
                Fault.USER,
                "standard input is too long",
                limit=MAX_BYTES,
                why="why.input_too_long",
            )


def _decoded(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "the input is not UTF-8", what="UTF-8", why="why.not_unicode"
        ) from error


async def _read(descriptor: int) -> bytes:
    if sys.platform == "win32":
        return await _read_in_thread(descriptor)
    loop = asyncio.get_running_loop()
    ready = loop.create_future()
    try:
        loop.add_reader(descriptor, _wake, ready)
    except PermissionError:  # a plain file or /dev/null: not for epoll, and never blocks
        return os.read(descriptor, _CHUNK)
    try:
        await ready
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, _CHUNK)


def _wake(ready: "asyncio.Future[None]") -> None:
    if not ready.done():
        ready.set_result(None)


async def _read_in_thread(descriptor: int) -> bytes:
    """Windows' consoles cannot be waited for; a daemon thread keeps nobody from ending."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[bytes] = loop.create_future()

    def deliver(content: bytes) -> None:
        if not found.done():
            found.set_result(content)

    def read() -> None:
        content = os.read(descriptor, _CHUNK)
        loop.call_soon_threadsafe(deliver, content)

    threading.Thread(target=read, name="standard input", daemon=True).start()
    return await found
