"""Removes an organization's folder so that a removal cut short is finished later.

A marked folder is no organization any more (or not yet one): the mark is there before the first and gone after the
last thing that makes it one.
"""

import os
import stat
from pathlib import Path

from notochord.core.paths import OrganizationFolder
from notochord.persistence.atomic_files import PRIVATE, flush_folder
from notochord.persistence.folders import remove_folder

_MARK = "discarded"


def mark(folder: OrganizationFolder) -> None:
    """Let the folder count as none, durably. Raises OSError."""
    # Made in one step, not by renaming: a folder that holds anything else first would count.
    descriptor = os.open(folder.folder / _MARK, os.O_WRONLY | os.O_CREAT, PRIVATE)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    flush_folder(folder.folder)


def unmark(folder: OrganizationFolder) -> None:
    """Let the folder count, durably. Raises OSError."""
    (folder.folder / _MARK).unlink()
    flush_folder(folder.folder)


def is_marked(folder: OrganizationFolder) -> bool:
    return (folder.folder / _MARK).exists()


def is_leftover(folder: OrganizationFolder) -> bool:
    """Tell whether the folder is marked, or empty because not even the mark was reached."""
    return is_marked(folder) or not any(folder.folder.iterdir())


def remove_content(folder: OrganizationFolder) -> None:
    """Remove what a marked folder holds, all but its description. Raises OSError if something stays."""
    kept = {_MARK, folder.description.name}
    for entry in folder.folder.iterdir():
        if entry.name not in kept:
            _remove(entry)


def remove_rest(folder: OrganizationFolder) -> None:
    """Remove description, mark and folder, after `remove_content`. Raises OSError."""
    folder.description.unlink(missing_ok=True)
    (folder.folder / _MARK).unlink(missing_ok=True)
    folder.folder.rmdir()
    flush_folder(folder.folder.parent)


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        remove_folder(entry)
        return
    if os.name == "nt":
        entry.chmod(stat.S_IWRITE)
    entry.unlink()
