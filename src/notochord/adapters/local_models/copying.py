"""Runs the copying of a large file in a thread: tells the loop how far it is, and stops it when it is cancelled."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import TypeVar

from notochord.core.tasks import finish
from notochord.services.models.ports import Progress

Result = TypeVar("Result")


class _Stopped(Exception):
    """The copying is no longer wanted."""


async def in_thread(work: Callable[[Progress], Result], progress: Progress | None) -> Result:
    """Run `work`, whose reports reach `progress` in the loop; cancelling waits until the thread has cleaned up."""
    loop, stop = asyncio.get_running_loop(), Event()

    def told(share: float) -> None:
        if stop.is_set():
            raise _Stopped
        if progress is not None:
            loop.call_soon_threadsafe(progress, share)

    working = loop.create_task(asyncio.to_thread(work, told))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        stop.set()
        with suppress(Exception):
            await finish(_ended(working))
        raise


async def _ended(working: asyncio.Task[Result]) -> None:
    await working
