"""Waits until something that a test started has come about."""

import asyncio
from collections.abc import Awaitable, Callable


async def until(condition: Callable[[], bool | Awaitable[bool]]) -> None:
    """Let everything else run until the condition holds; the test's own time limit ends a wait in vain."""
    while True:
        holds = condition()
        if holds if isinstance(holds, bool) else await holds:
            return
        await asyncio.sleep(0.001)
