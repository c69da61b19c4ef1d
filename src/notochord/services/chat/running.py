"""The answers under way: at most one in each conversation, each a task that can be stopped."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.tasks import Lifetime

Result = TypeVar("Result")


class RunningAnswers:
    """Owns the tasks of the answers; `freed` hears of each conversation that can take another one again."""

    def __init__(self, freed: Callable[[str], None] = lambda _: None) -> None:
        self._freed = freed
        self._lifetime = Lifetime("answers")
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._left: set[str] = set()

    def __contains__(self, chat: str) -> bool:
        return chat in self._tasks

    async def run(self, chat: str, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Run `work` as the one thing that happens in `chat`; cancelling the caller cancels it and waits for its end.

        Raises CHAT_BUSY, CANCELLED when `stop` ended it, and what `work` raises.
        """
        if chat in self._tasks:
            raise NotochordError(Code.CHAT_BUSY, Fault.USER, "an answer is under way", chat=chat)
        task = self._lifetime.start(f"answer in {chat}", _caught(work))
        self._tasks[chat] = task
        task.add_done_callback(lambda _: self._ended(chat))
        try:
            result = await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise NotochordError(Code.CANCELLED, Fault.USER, "the answer was stopped", chat=chat) from None
            self._left.add(chat)
            task.cancel()
            await asyncio.wait((task,))
            raise
        if isinstance(result, NotochordError):
            raise result
        return result

    def _ended(self, chat: str) -> None:
        self._tasks.pop(chat, None)
        self._left.discard(chat)
        self._freed(chat)

    async def stop(self, chat: str) -> None:
        """End what happens in `chat`, if anything, and wait until that is recorded."""
        task = self._tasks.get(chat)
        if task is not None:
            task.cancel()
            await asyncio.wait((task,))

    def was_left(self, chat: str) -> bool:
        """Tell whether the answer ends because the program does (or who asked for it), and not by `stop`."""
        return chat in self._left

    async def close(self) -> None:
        self._left.update(self._tasks)
        await self._lifetime.close()


async def _caught(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result | NotochordError:
    """A failure that the caller is told of is no failure of the task, which would be logged."""
    try:
        return await work()
    except NotochordError as failure:
        return failure
