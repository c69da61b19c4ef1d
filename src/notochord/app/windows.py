"""What the command line knows of the windows: the desktop root implements it, loaded only when a window is wanted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from notochord.core.paths import Home


class Windows(Protocol):
    """Shows windows, on a machine that can."""

    def missing(self, *, offscreen: bool = False) -> tuple[str, str] | None:
        """Return kind and name of what keeps windows from being shown; `offscreen` needs no display."""

    def desktop(self, home: Home, organization: str, language: str) -> int:
        """Show the window until it is closed, and return the exit status.

        `organization` is a name or id, empty for the current one; `language` speaks until one is chosen.
        """

    def gallery(self, folder: Path) -> Iterator[Path]:
        """Render every scene into `folder`, without a display; yield each picture. Raises NotochordError."""
