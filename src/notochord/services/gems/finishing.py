"""Lets work that must not stop in the middle come to its end, also when who waits for it is cancelled."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


async def finished(work: Coroutine[Any, Any, Result]) -> Result:
    """Return the outcome of `work`. When cancelled, wait for its end first, then raise CancelledError."""
    task = asyncio.create_task(work, name="work that is finished in any case")
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # looked at: the caller is gone, and nothing is half done
        raise
