"""What a local-model child gives up before it reads a byte of the model file."""

import contextlib
import os
import platform
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

MOST_FILES = 64
BESIDE_THE_MODEL = 8 * 1024 * 1024 * 1024
"""Bytes of address space for libraries, context and work; the file itself comes on top, twice."""

_READABLE = (
    "/lib", "/lib64", "/usr/lib", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime", "/dev/urandom",
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system", "/sys/fs/cgroup",
)  # fmt: skip


def confine(model: Path) -> None:
    """Write no file, dump no core, open few files, take no more memory than the model can need.

    On Linux also: gain no rights, end with the parent, open no socket, start no process, read the program, its
    libraries and this model only, as far as the kernel can see to it. Call it before the first thread is started.
    """
    if sys.platform == "win32":
        return
    import resource

    size = model.stat().st_size if model.is_file() else 0
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: MOST_FILES,
        resource.RLIMIT_AS: 2 * size + BESIDE_THE_MODEL,
    }
    limit(wanted)
    if sys.platform == "linux":
        wall_in((model,))


def limit(wanted: Mapping[int, int]) -> None:
    """Set limits of this process, by the numbers of `resource`, as far as the system has them."""
    import resource

    for kind, most in wanted.items():
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def wall_in(readable: Sequence[Path]) -> None:
    """Leave this process nothing but the program, its libraries and these files, to read (Linux only)."""
    from notochord.adapters.deno.wall import landlock, seccomp
    from notochord.adapters.deno.wall.libc import DEATH_SIGNAL, NO_NEW_PRIVILEGES, process_control

    process_control(DEATH_SIGNAL, signal.SIGKILL)
    process_control(NO_NEW_PRIVILEGES, 1)
    version = landlock.version()
    if version:
        elsewhere = {"", "/", str(Path.cwd())}  # a folder that Python put first is no part of the program
        program = {*sys.path, sys.prefix, sys.base_prefix, str(Path(sys.executable).parent)} - elsewhere
        rules = [(path, landlock.READ) for path in (*_READABLE, *program)]
        landlock.restrict(
            [
                *rules,
                *((str(path), landlock.READ_FILE) for path in readable),
                (os.devnull, landlock.READ_FILE | landlock.WRITE_FILE),
            ],
            version,
        )
    machine = platform.machine()
    if seccomp.available(machine):
        seccomp.restrict(machine)
