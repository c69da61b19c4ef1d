"""A guest's folders hold plain files and folders only: the runtime follows links out of what it may read."""

import os
import stat
from pathlib import Path


def find_foreign(root: Path) -> str | None:
    """Return the relative path of the first link or special file below `root`, or None. Follows nothing.

    A file with a second name counts as a link: its other name may lie anywhere. Raises OSError.
    """
    if root.is_symlink():
        return "."
    waiting = [str(root)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    waiting.append(entry.path)
                elif not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                    return os.path.relpath(entry.path, root)
    return None
