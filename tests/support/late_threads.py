"""Lets what threads do come late by chance, as on a busy machine: what relies on their order fails then."""

import asyncio
import threading
import time
from concurrent.futures import thread as pools
from random import Random
from typing import Any

SHARE = 0.3
LONGEST = 0.08
"""Seconds."""


def make_late(chance: Random) -> None:
    """From here on some work of thread pools begins late, and some of what threads tell a loop comes late."""
    pool: Any = pools._WorkItem
    loop: Any = asyncio.BaseEventLoop
    run, tell = pool.run, loop.call_soon_threadsafe

    def dawdle() -> None:
        if chance.random() < SHARE:
            time.sleep(chance.random() * LONGEST)

    def run_late(item: Any) -> None:
        dawdle()
        run(item)

    def tell_late(loop: Any, *words: Any, **more: Any) -> Any:
        if threading.get_ident() != loop._thread_id:
            dawdle()
        return tell(loop, *words, **more)

    pool.run, loop.call_soon_threadsafe = run_late, tell_late
