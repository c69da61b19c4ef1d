"""What a child of this program gives up before it reads a byte that comes from elsewhere."""

import contextlib
import os
import platform
import signal
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

_READABLE = (
    "/lib", "/lib64", "/usr/lib", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime", "/dev/urandom",
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system", "/sys/fs/cgroup",
)  # fmt: skip


def limit(wanted: Mapping[int, int]) -> None:
    """Lower limits of the system for this process, those that can be lowered."""
    import resource

    for kind, most in wanted.items():
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def wall_in(readable: Iterable[Path], *, writable: Iterable[Path] = ()) -> None:
    """Gain no rights, end with the parent, open no socket, start no process (Linux only).

    Of files, read the program and its libraries, and these, which exist.
    """
    from notochord.adapters.deno.wall import landlock, seccomp
    from notochord.adapters.deno.wall.libc import DEATH_SIGNAL, NO_NEW_PRIVILEGES, process_control

    process_control(DEATH_SIGNAL, signal.SIGKILL)
    process_control(NO_NEW_PRIVILEGES, 1)
    version = landlock.version()
    if version:
        elsewhere = {"", "/", str(Path.cwd())}  # a folder that Python put first is no part of the program
        program = {*sys.path, sys.prefix, sys.base_prefix, str(Path(sys.executable).parent)} - elsewhere
        written = landlock.READ_FILE | landlock.WRITE_FILE
        landlock.restrict(
            [
                *((path, landlock.READ) for path in (*_READABLE, *program)),
                *((str(path), landlock.READ_FILE) for path in readable),
                *((str(path), written | landlock.TRUNCATE) for path in writable),
                (os.devnull, written),
            ],
            version,
        )
    machine = platform.machine()
    if seccomp.available(machine):
        seccomp.restrict(machine)
