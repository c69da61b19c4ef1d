"""Hides and forgets what is typed at a console, by the means of each system."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def echo_off(descriptor: int) -> Iterator[None]:
    """Show nothing of what is typed on this terminal, and set it back however the block ends."""
    restore = _without_echo(descriptor) if os.isatty(descriptor) else None
    try:
        yield
    finally:
        if restore:
            restore()


def forget_typed(descriptor: int) -> None:
    """Drop what was typed on this terminal and not read yet, a line without its end included."""
    if not os.isatty(descriptor):
        return
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        ctypes.windll.kernel32.FlushConsoleInputBuffer(msvcrt.get_osfhandle(descriptor))
        return
    import termios

    termios.tcflush(descriptor, termios.TCIFLUSH)


def _without_echo(descriptor: int) -> Callable[[], None]:
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        kernel = ctypes.windll.kernel32
        handle = msvcrt.get_osfhandle(descriptor)
        mode = ctypes.c_uint32()
        kernel.GetConsoleMode(handle, ctypes.byref(mode))
        kernel.SetConsoleMode(handle, mode.value & ~0x0004)
        return lambda: kernel.SetConsoleMode(handle, mode.value)
    import termios

    before = termios.tcgetattr(descriptor)
    silent = [*before]
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(descriptor, termios.TCSAFLUSH, silent)
    return lambda: termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
