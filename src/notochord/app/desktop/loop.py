"""One loop for Qt and asyncio: what a window's program runs in."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import qasync
from PySide6.QtWidgets import QApplication

Result = TypeVar("Result")


def run_with_windows(application: QApplication, work: Coroutine[Any, Any, Result]) -> Result:
    """Run `work` to its end while Qt's events are served, then close the loop; return the result or raise."""
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    loop.set_default_executor(ThreadPoolExecutor(thread_name_prefix="notochord"))
    try:
        with _generators_of(loop):
            return loop.run_until_complete(work)
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
        asyncio.set_event_loop(None)


@contextmanager
def _generators_of(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Let the loop close asynchronous generators that are left half read; qasync's own does not.

    Without it each answer that breaks off leaves its generators to be ended outside the loop, where the connection
    under them cannot be given back.
    """
    closing: set[asyncio.Task[None]] = set()

    def close(generator: AsyncGenerator[object, None]) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(begin, generator)

    def begin(generator: AsyncGenerator[object, None]) -> None:
        task = loop.create_task(generator.aclose())
        closing.add(task)
        task.add_done_callback(closing.discard)

    before = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(finalizer=close)
    try:
        yield
    finally:
        sys.set_asyncgen_hooks(*before)
