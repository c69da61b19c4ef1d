"""What files need from outside: the user's trash, and the system's mark for what came from elsewhere."""

from pathlib import Path
from typing import Protocol

from notochord.services.files.api import Files as Files
from notochord.services.files.api import Opening as Opening
from notochord.services.files.api import may_be_opened as may_be_opened


class Trash(Protocol):
    """The user's trash. A headless build has none."""

    def discard(self, path: Path) -> None:
        """Move a file or a folder to the trash; blocks. Raises OSError, and the item is then where it was."""


class OriginMark(Protocol):
    """Marks files as come from elsewhere, so that the system warns before it opens or runs them."""

    def mark(self, path: Path) -> None:
        """Mark a file; where the system or the disk knows no such mark, do nothing. Blocks."""
