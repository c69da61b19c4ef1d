"""Ends a child of this program: it gets a moment to end by itself, then it is killed, and nothing of it stays."""

import asyncio
import contextlib
from asyncio.subprocess import Process


async def end(process: Process, seconds: float) -> int:
    """Close the child's input, wait at most so many seconds, kill it if it runs yet, and return its status.

    The status of one that ended by itself is its own.
    """
    assert process.stdin is not None
    process.stdin.close()
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await process.wait()
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        status = await process.wait()
        with contextlib.suppress(OSError):  # some versions of asyncio report a broken pipe that nobody asked about
            await process.stdin.wait_closed()
    return status
