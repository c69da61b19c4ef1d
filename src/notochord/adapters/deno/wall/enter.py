"""Builds the wall around this process and then becomes the guest's runtime."""

import json
import os
import resource
import signal

from notochord.adapters.deno.wall import landlock, seccomp
from notochord.adapters.deno.wall.libc import DEATH_SIGNAL, NO_NEW_PRIVILEGES, process_control

_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
_READABLE = (
    "/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/dev/random", "/proc/self", "/proc/cpuinfo",
    "/proc/meminfo", "/sys/fs/cgroup", "/sys/devices/system/cpu", "/usr/share/zoneinfo",
)  # fmt: skip


def main(order: str, command: list[str]) -> None:
    """Read the order (JSON of `LinuxWall`), restrict this process, and execute `command`. Raises OSError."""
    wall = json.loads(order)
    process_control(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != wall["parent"]:  # it died before the death signal was set
        os._exit(1)
    for name, value in wall["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    process_control(NO_NEW_PRIVILEGES, 1)
    if wall["landlock"]:
        landlock.restrict(_rules(command[0], wall["readable"], wall["writable"]), wall["landlock"])
    if wall["machine"]:
        seccomp.restrict(wall["machine"])
    os.execve(command[0], command, dict(os.environ))


def _rules(program: str, readable: list[str], writable: list[str]) -> list[tuple[str, int]]:
    run = landlock.EXECUTE | landlock.READ_FILE
    return [
        (program, run),
        *((path, run) for path in _LIBRARIES),
        *((path, landlock.READ) for path in (*_READABLE, *readable)),
        ("/dev/null", landlock.READ_FILE | landlock.WRITE_FILE),
        *((path, landlock.WRITE) for path in writable),
    ]
