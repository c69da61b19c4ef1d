"""A provider that follows a script, served from a thread beside a test that waits for another process."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from support.strict_servers import OpenAiServer
from support.whole import Script, scripted

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Provider:
    """Where the provider is, and what it answers."""

    server: OpenAiServer
    script: Script


@contextmanager
def provider_in_thread() -> Iterator[Provider]:
    """Serve until the end of the block; the provider refused nothing by then."""
    ready, found, failed = threading.Event(), [], []
    ending: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        async with scripted() as (server, script):
            end = asyncio.Event()
            ending.append((asyncio.get_running_loop(), end))
            found.append(Provider(server, script))
            ready.set()
            await end.wait()

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as failure:  # told in the test's own thread
            failed.append(failure)
            ready.set()

    thread = threading.Thread(target=run, name="provider")
    thread.start()
    assert ready.wait(SECONDS)
    try:
        if found:
            yield found[0]
    finally:
        for loop, end in ending:
            loop.call_soon_threadsafe(end.set)
        thread.join(SECONDS)
    for failure in failed:
        raise failure
