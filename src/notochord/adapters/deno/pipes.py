"""Pipes into which much fits, so that a large attachment takes few turns between the two processes."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

PIPE_BYTES = 1024 * 1024


@asynccontextmanager
async def wide_input() -> AsyncIterator[tuple[int, asyncio.StreamWriter | None]]:
    """Give what a process is started with as its input, and what writes to it; None where asyncio's own is to be used.

    The process's end is closed here afterwards; the other one too if the start fails.
    """
    if sys.platform != "linux":
        yield asyncio.subprocess.PIPE, None
        return
    reading, writing = os.pipe()
    try:
        _widen(writing)
        loop = asyncio.get_running_loop()
        protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader(), loop=loop)
        transport, _ = await loop.connect_write_pipe(lambda: protocol, os.fdopen(writing, "wb", buffering=0))
        writer = asyncio.StreamWriter(transport, protocol, None, loop)
        try:
            yield reading, writer
        except BaseException:
            transport.abort()
            raise
    finally:
        os.close(reading)


def widen_output(process: asyncio.subprocess.Process) -> None:
    """Let more fit into the pipe that a process writes to, where the system allows it."""
    pipe = process._transport.get_pipe_transport(1)  # type: ignore[attr-defined]  # there is no public way to it
    if sys.platform == "linux" and pipe is not None:
        _widen(pipe.get_extra_info("pipe").fileno())


def _widen(descriptor: int) -> None:
    import fcntl

    with contextlib.suppress(OSError):  # the system limits how much one user's pipes may hold
        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
