"""What the sandbox needs from outside: a way to start a process of untrusted code and to talk to it through pipes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class GuestOrder:
    """A process to start: it may read `code` and `resources` and nothing else; `state` is for the runtime's cache.

    With `jitless` nothing in it is ever compiled to machine code.
    """

    code: Path
    resources: Path
    state: Path
    jitless: bool = False


@dataclass(frozen=True, slots=True)
class GuestExit:
    """How a process ended: its status, or the negative number of the signal; the end of what it wrote to stderr."""

    status: int
    stderr: str
    flooded: bool = False


class GuestProcess(Protocol):
    """A running process; what comes out of it is hostile."""

    async def read(self, count: int) -> bytes:
        """Return exactly `count` bytes of its output. Raises EOFError when the output ends before that."""

    def write(self, parts: Sequence[bytes]) -> None:
        """Put the parts on its input in one piece, without waiting. Does nothing once the process is gone."""

    async def drain(self) -> None:
        """Wait while much of what was written is unread. Returns at once when the process is gone."""

    def kill(self) -> None:
        """End it at once, whatever it does. Does nothing if it is gone."""

    async def wait(self) -> GuestExit:
        """Wait until it is gone and its pipes are closed."""


class GuestLauncher(Protocol):
    """Starts processes of untrusted code."""

    async def start(self, order: GuestOrder) -> GuestProcess:
        """Start the guest's program; gem code runs only once it is called. Raises GUEST_START."""

    def wall(self) -> str:
        """Say in one line how strong the second wall is on this system."""
