"""What a local-model child gives up before it reads a byte of the model file."""

import contextlib
import os
import platform
import signal
import sys
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
    for kind, limit in wanted.items():
        hard = resource.getrlimit(kind)[1]
        limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit, limit))
    if sys.platform == "linux":
        _wall_in(model)


def _wall_in(model: Path) -> None:
    from notochord.adapters.deno.wall import landlock, seccomp
    from notochord.adapters.deno.wall.libc import DEATH_SIGNAL, NO_NEW_PRIVILEGES, process_control

    process_control(DEATH_SIGNAL, signal.SIGKILL)
    process_control(NO_NEW_PRIVILEGES, 1)
    version = landlock.version()
    if version:
        program = {*sys.path, sys.prefix, sys.base_prefix, str(Path(sys.executable).parent)} - {""}
        rules = [(path, landlock.READ) for path in (*_READABLE, *program)]
        landlock.restrict(
            [
                *rules,
                (str(model), landlock.READ_FILE),
                (os.devnull, landlock.READ_FILE | landlock.WRITE_FILE),
            ],
            version,
        )
    machine = platform.machine()
    if seccomp.available(machine):
        seccomp.restrict(machine)
