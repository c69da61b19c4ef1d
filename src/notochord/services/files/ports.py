"""What files need from outside: the user's trash, and the system's mark for what came from elsewhere."""

from pathlib import Path
from typing import Protocol

from notochord.services.files.api import Files as Files


class Trash(Protocol):
    """The user's trash. A headless build has none."""

    def discard(self, path: Path) -> None:
        """Move a file or a folder to the trash; blocks. Raises OSError, and the item is then where it was."""


class Opening(Protocol):
    """Shows files to the user in other programs."""

    def open_file(self, path: Path) -> bool:
        """Open a file with the program that the system has for its kind; tell whether there was one."""

    def show_folder(self, path: Path) -> bool:
        """Show a folder in the system's file manager; tell whether there was one."""


class OriginMark(Protocol):
    """Marks files as come from elsewhere, so that the system warns before it opens or runs them."""

    def mark(self, path: Path) -> None:
        """Mark a file; where the system or the disk knows no such mark, do nothing. Blocks."""
