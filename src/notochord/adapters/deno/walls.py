"""Which second wall this system can put around a guest."""

import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

_HERE = Path(__file__).parent
_SOURCES = str(Path(__file__).parents[3])
_MEBIBYTE = 1024 * 1024


class Wall(Protocol):
    """Barriers of the operating system around a process that has its own already."""

    def around(self, command: Sequence[str], *, readable: Sequence[str], writable: Sequence[str]) -> list[str]:
        """Return the command that runs `command` behind the wall, with these folders open."""

    def describe(self) -> str:
        """Say in one line how strong it is."""


class NoWall:
    """For systems whose barriers this program does not use yet: the runtime's own permissions stand alone."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def around(self, command: Sequence[str], *, readable: Sequence[str], writable: Sequence[str]) -> list[str]:
        return list(command)

    def describe(self) -> str:
        return f"none ({self._reason}); Deno's permissions stand alone"


class LinuxWall:
    """Landlock and seccomp as far as the kernel has them, limits on memory and files, death with the parent.

    `memory` in MiB: 600 are what the runtime needs to start at all (it counts space set aside for compiled code).
    """

    def __init__(self, *, interpreter: Sequence[str] = (sys.executable, "-I", "-S"), memory: int = 1112) -> None:
        from notochord.adapters.deno.wall import landlock, seccomp

        self._interpreter = tuple(interpreter)
        self._memory = memory
        self._landlock = landlock.version()
        machine = platform.machine()
        self._machine = machine if seccomp.available(machine) else ""

    def around(self, command: Sequence[str], *, readable: Sequence[str], writable: Sequence[str]) -> list[str]:
        order = {
            "parent": os.getpid(),
            "limits": {"RLIMIT_DATA": self._memory * _MEBIBYTE, "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 64},
            "landlock": self._landlock,
            "machine": self._machine,
            "readable": list(readable),
            "writable": list(writable),
        }
        return [*self._interpreter, str(_HERE / "enter_wall.py"), _SOURCES, json.dumps(order), *command]

    def describe(self) -> str:
        parts = [
            f"Landlock {self._landlock}" if self._landlock else "no Landlock (the kernel has none)",
            f"seccomp {self._machine}" if self._machine else "no seccomp (kernel or processor without it)",
            f"memory limit {self._memory} MiB",
            "ends with Notochord",
        ]
        return ", ".join(parts)


def wall_of_this_system() -> Wall:
    """Return the strongest wall there is here."""
    if sys.platform == "linux":
        return LinuxWall()
    return NoWall(f"not built for {platform.system()} yet")
