"""The user's trash, by the library send2trash."""

from pathlib import Path


class SystemTrash:
    """The trash of this desktop. A headless build is given none instead."""

    def discard(self, path: Path) -> None:
        """Move a file or a folder to the trash; blocks. Raises OSError, and the item is then where it was."""
        from send2trash import send2trash  # found out at first use: some systems load a desktop library for it

        send2trash(str(path))
