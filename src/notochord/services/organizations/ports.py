"""What the organizations need from outside: locks that end with their process, and places for keys."""

from pathlib import Path
from typing import Protocol

from notochord.services.vault.api import KeyStore as KeyStore


class HeldLock(Protocol):
    """A lock that this process has."""

    def release(self) -> None:
        """Give it back; a second time does nothing."""


class Locks(Protocol):
    """Locks between processes. The system frees them when the process ends, however it ends."""

    def take(self, file: Path) -> HeldLock | int:
        """Take the lock whose file is `file` (made if it is not there), without waiting.

        Returns the process id of who has it instead, 0 if that is unknown. Raises OSError.
        """
