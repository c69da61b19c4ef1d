"""The door to starting at login."""

from typing import Protocol


class StartAtLogin(Protocol):
    """Whether this computer starts the program when the user logs in; nothing is written until `change` is called."""

    async def enabled(self) -> bool:
        """Tell whether it does. Raises NotochordError(DISK_IO)."""

    async def change(self, enabled: bool) -> None:
        """Let it start, or no longer. Raises NotochordError(DISK_IO)."""
