"""The few calls of the C library that the wall is built with."""

import ctypes
import os

NO_NEW_PRIVILEGES = 38
DEATH_SIGNAL = 1
SET_SECCOMP = 22
GET_SECCOMP = 21

_library = ctypes.CDLL(None, use_errno=True)


def system_call(number: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char]) -> int:
    """Make a system call. Raises OSError."""
    words = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _checked(int(_library.syscall(ctypes.c_long(number), *words)))


def process_control(option: int, *arguments: int | ctypes.c_void_p) -> int:
    """Call prctl. Raises OSError."""
    words = [ctypes.c_ulong(value) if isinstance(value, int) else value for value in arguments]
    return _checked(int(_library.prctl(option, *words, *[ctypes.c_ulong(0)] * (4 - len(words)))))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
