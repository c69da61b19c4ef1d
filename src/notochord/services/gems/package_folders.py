"""The folders of installed packages on disk: scratch, put in place durably, taken away, swept at the start."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from notochord.core.ids import IdMaker
from notochord.persistence.atomic_files import flush_folder
from notochord.persistence.folders import remove_folder
from notochord.services.gems.integrity import FILE_MODE, FOLDER_MODE, digest_of
from notochord.services.gems.manifest import FileRecord

_SCRATCH = ".scratch"
_AGAIN = "~"
"""Separates the version from a count in the name of a folder; no version contains it."""


class PackageFolders:
    """`<packages>/<gem>/<version>/`, and scratch folders beside them. All methods do blocking work."""

    def __init__(self, packages: Path, ids: IdMaker) -> None:
        self._packages = packages
        self._ids = ids

    def folder(self, gem: str, name: str) -> Path:
        return self._packages / gem / name

    def new_scratch(self) -> Path:
        """Return a new name for a folder on the same file system as the packages."""
        return self.scratch(self._ids.new())

    def scratch(self, name: str) -> Path:
        """Return the scratch folder of this name; the next start deletes it."""
        return self._packages / _SCRATCH / name

    def seal(self, folder: Path) -> None:
        """Make everything in a folder read-only, as the files of an installed gem are, and durable."""
        _seal(folder)

    def put(self, scratch: Path, gem: str, version: str) -> str:
        """Move a checked package to its place, read-only and on the disk, and return the folder's name there."""
        _seal(scratch)
        parent = self._packages / gem
        parent.mkdir(exist_ok=True)
        name = self._free_name(parent, version)
        scratch.chmod(0o755)  # a folder that is read-only itself cannot be moved everywhere
        scratch.rename(parent / name)
        (parent / name).chmod(FOLDER_MODE)
        flush_folder(parent)
        flush_folder(self._packages)
        return name

    def files_in(self, folder: Path, names: Iterable[str]) -> dict[str, FileRecord]:
        """Return size and hash of those of the named files that are in a folder."""
        return {name: _record(folder / name) for name in names if (folder / name).is_file()}

    def delete(self, folder: Path) -> None:
        """Delete a folder of this tree; one that is not there is no error."""
        remove_folder(folder)

    def delete_gem(self, gem: str) -> None:
        self.delete(self._packages / gem)

    def sweep(self, kept: Mapping[str, str]) -> None:
        """Delete what an interrupted installation or removal left; `kept` has the folder of each installed gem."""
        if not self._packages.is_dir():
            return
        for parent in sorted(self._packages.iterdir()):
            if parent.name not in kept:
                self.delete(parent)
                continue
            for folder in sorted(parent.iterdir()):
                if folder.name != kept[parent.name]:
                    self.delete(folder)

    def _free_name(self, parent: Path, version: str) -> str:
        taken = {entry.name.casefold() for entry in parent.iterdir()}
        names = (version if count == 1 else f"{version}{_AGAIN}{count}" for count in range(1, len(taken) + 2))
        return next(name for name in names if name.casefold() not in taken)


def _record(path: Path) -> FileRecord:
    size, digest = digest_of(path)
    return FileRecord(digest, size)


def _seal(folder: Path) -> None:
    """Make everything read-only and bring it to the disk, the inner folders first."""
    for inner, _, names in os.walk(folder, topdown=False):
        for name in names:
            path = Path(inner) / name
            _flush(path)
            path.chmod(FILE_MODE)
        flush_folder(Path(inner))
        Path(inner).chmod(FOLDER_MODE)


def _flush(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())
