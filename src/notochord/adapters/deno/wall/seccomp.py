"""The system-call filter: no network, no new process, no signal to others, nothing that changes the system."""

import ctypes
import os
import struct

from notochord.adapters.deno.wall.libc import GET_SECCOMP, SET_SECCOMP, process_control
from notochord.adapters.deno.wall.system_calls import CLONE3, CLONE_THREAD, PROCESSORS, REFUSED, X32_BIT, Processor

_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NOT_PERMITTED, _NOT_IMPLEMENTED = 1, 38
_FILTER_MODE = 2


def available(machine: str) -> bool:
    """Tell whether the kernel filters system calls and the numbers of this processor are known."""
    try:
        return machine in PROCESSORS and process_control(GET_SECCOMP) >= 0
    except OSError:
        return False


def restrict(machine: str) -> None:
    """Put the filter on this process and what it becomes. Raises OSError."""
    code = program(PROCESSORS[machine], os.getpid())
    buffer = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HxxxxxxP", len(code) // 8, ctypes.addressof(buffer))
    holder = ctypes.create_string_buffer(header, len(header))
    process_control(SET_SECCOMP, _FILTER_MODE, ctypes.c_void_p(ctypes.addressof(holder)))


def program(processor: Processor, own: int) -> bytes:
    """Return the filter for the process `own`, in the kernel's format."""
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, processor.audit), (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]  # fmt: skip
    if processor.x32:
        steps += [(_ANY_BIT, 0, 1, X32_BIT), (_RETURN, 0, 0, _ERROR | _NOT_PERMITTED)]
    numbers = [row[processor.column] for row in REFUSED.values()]
    for number in numbers:
        if number is not None:
            steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | _NOT_PERMITTED)]
    # The C library falls back to clone, whose flags a filter can see.
    steps += [(_EQUAL, 0, 1, CLONE3), (_RETURN, 0, 0, _ERROR | _NOT_IMPLEMENTED)]
    steps += [(_EQUAL, 0, 4, processor.clone), (_LOAD, 0, 0, _FIRST_ARGUMENT), (_ANY_BIT, 1, 0, CLONE_THREAD)]
    steps += [(_RETURN, 0, 0, _ERROR | _NOT_PERMITTED), (_RETURN, 0, 0, _ALLOW)]
    for number in (processor.kill, processor.kill_thread):
        steps += _only_for(number, (own,))
    steps += _only_for(processor.limits, (0, own))
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def _only_for(number: int, processes: tuple[int, ...]) -> list[tuple[int, int, int, int]]:
    """Allow a system call whose first argument is one of `processes` and refuse it for all others."""
    count = len(processes)
    checks = [(_EQUAL, count - index, 0, process) for index, process in enumerate(processes)]
    body = [(_LOAD, 0, 0, _FIRST_ARGUMENT), *checks, (_RETURN, 0, 0, _ERROR | _NOT_PERMITTED), (_RETURN, 0, 0, _ALLOW)]
    return [(_EQUAL, 0, len(body), number), *body]
