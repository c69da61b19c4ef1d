"""Runs blocking file work in threads of its owner, whole even when the one who asked is cancelled."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")

THREADS = 4


class FileThreads:
    """A few threads for blocking work."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(THREADS, thread_name_prefix="files")

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run `work` and return its result; when cancelled, wait until it has ended and only then pass that on."""
        running = asyncio.get_running_loop().run_in_executor(self._executor, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            if not running.done():
                await asyncio.wait({running})
            raise

    async def close(self) -> None:
        """Wait for what runs, and end the threads."""
        await asyncio.to_thread(self._executor.shutdown)
