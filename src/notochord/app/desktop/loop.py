"""One loop for Qt and asyncio: what a window's program runs in."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
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
        return loop.run_until_complete(work)
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
        asyncio.set_event_loop(None)
