"""Ctrl-C and SIGTERM end the window as closing it does: Qt's loop is woken, and nothing is cut off."""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


@contextmanager
def signals_end(loop: asyncio.AbstractEventLoop, end: Callable[[], None]) -> Iterator[None]:
    """Call `end` in the loop when the system or Ctrl-C asks the process to end; must be entered in the main thread.

    Python's handlers run only between two of its instructions, and Qt's loop executes none while it waits: the wake-up
    socket brings it back.
    """
    known = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    reading, writing = socket.socketpair()
    for end_of_pair in (reading, writing):
        end_of_pair.setblocking(False)
    before = {number: signal.signal(number, lambda *_: end()) for number in known}
    waking = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    if sys.platform != "win32":
        loop.add_reader(reading, _drain, reading)
    try:
        yield
    finally:
        if sys.platform != "win32":
            loop.remove_reader(reading)
        signal.set_wakeup_fd(waking)
        for number, handler in before.items():
            signal.signal(number, handler)
        reading.close()
        writing.close()


def _drain(reading: socket.socket) -> None:
    with suppress(BlockingIOError):
        reading.recv(4096)
