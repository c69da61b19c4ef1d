"""Fixtures that fail the test which leaves a thread, a process, a task or a warning behind."""

import asyncio
import gc
import logging
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator

import psutil
import pytest

GRACE_SECONDS = 30.0


def children() -> set[psutil.Process]:
    if sys.platform != "win32":  # reading all processes of the system takes long
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return set()
    return {child for child in psutil.Process().children(recursive=True) if child.is_running()}


def name_of(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.NoSuchProcess:
        return ""


def left_after_grace(find: Callable[[], set[str]]) -> set[str]:
    """Return what `find` still finds after GRACE_SECONDS, at once when it finds nothing."""
    end = time.monotonic() + GRACE_SECONDS
    while (found := find()) and time.monotonic() < end:
        time.sleep(0.01)
    return found


class FailedTasks(logging.Handler):
    """Keeps what asyncio reports about tasks whose failure nobody looked at."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    threads_before = set(threading.enumerate())
    children_before = children()
    failed_tasks = FailedTasks()
    logging.getLogger("asyncio").addHandler(failed_tasks)
    yield
    gc.collect()  # finalises what was dropped, so that its warning belongs to this test
    gc.freeze()  # what is left stays for long; the next collections are not slowed by it
    logging.getLogger("asyncio").removeHandler(failed_tasks)
    threads = left_after_grace(lambda: {thread.name for thread in set(threading.enumerate()) - threads_before})
    processes = left_after_grace(lambda: {f"{name_of(child)} {child.pid}" for child in children() - children_before})
    for child in children() - children_before if processes else ():
        child.kill()
    assert not threads, f"threads left behind: {sorted(threads)}"
    assert not processes, f"processes left behind: {sorted(processes)}"
    assert not failed_tasks.messages, f"failures that nobody handled: {failed_tasks.messages}"


@pytest.fixture
async def no_task_left_behind() -> AsyncIterator[None]:
    """Set up before every other asynchronous fixture of a test, and so torn down after them, in the same loop."""
    loop = asyncio.get_running_loop()
    yield
    await asyncio.sleep(0)
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    timers = [handle for handle in getattr(loop, "_scheduled", ()) if not handle.cancelled()]
    assert not tasks, f"tasks left behind: {sorted(task.get_name() for task in tasks if task is not None)}"
    assert not timers, f"timers left behind: {timers}"
