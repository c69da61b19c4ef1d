"""Tasks with an owner: named, watched, and ended together with what they belong to."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from notochord.core.errors import NotochordError

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


async def finish(work: Coroutine[Any, Any, Result]) -> Result:
    """Await `work` to its end even while the caller is being cancelled; the cancellation goes on afterwards.

    For work that must not stop in the middle, and for the record of how something ended. A failure of `work` comes
    before the cancellation.
    """
    task = asyncio.get_running_loop().create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None or (not task.cancelled() and task.exception() is not None):
        return task.result()
    raise cancelled


class Lifetime:
    """Owns the tasks of one thing (a service, a conversation); closing it cancels and awaits them all.

    Who needs the outcome awaits the returned task, and tells people of a NotochordError; any other failure is logged.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def start(self, name: str, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Run `work` as the task `<lifetime>/<name>`. Raises RuntimeError once closed."""
        if self._closed:
            work.close()
            raise RuntimeError(f"the lifetime {self._name} is over")
        task = asyncio.get_running_loop().create_task(work, name=f"{self._name}/{name}")
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        """Cancel what still runs and wait for it to end."""
        self._closed = True
        running = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        if running:  # waiting for nothing would still give the loop a turn
            await asyncio.gather(*running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        if isinstance(failure, NotochordError):
            _log.info("the task %s ended with %s", task.get_name(), failure.code)
        elif failure is not None:
            _log.error("the task %s failed", task.get_name(), exc_info=failure)
