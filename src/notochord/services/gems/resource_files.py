"""The downloaded files of one gem on disk: named by their hash, read-only, and beside them what is still coming."""

import hashlib
import os
import shutil
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from notochord.persistence.atomic_files import flush_folder
from notochord.services.gems.resource_declarations import ResourceRecord

MODE = 0o444
_BLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What of a file changes when somebody touches it."""

    size: int
    modified: int
    changed: int
    inode: int


class ResourceFiles:
    """`resources/` of a gem's store, which its tools read, and `downloads/`, which they cannot. All methods block.

    A file that was begun lies in `downloads/` until it is whole, and so tells at the next start that it is wanted.
    """

    def __init__(self, store: Path) -> None:
        self.folder = store / "resources"
        self._coming = store / "downloads"

    def path(self, resource: ResourceRecord) -> Path:
        """Return where the file is or will be: another content has another path (TOOL-123)."""
        return self.folder / resource.sha256

    def find(self, resource: ResourceRecord, known: Fingerprint | None) -> Fingerprint | None:
        """Return the mark of a file that is there as declared; one that is not is deleted.

        `known` is the mark of the file when its content was established; without it the content is read.
        """
        path = self.path(resource)
        seen = _fingerprint(path)
        if seen is None or seen == known:
            return seen
        if seen.size == resource.size and _digest(path) == resource.sha256:
            return _fingerprint(path)
        path.unlink(missing_ok=True)
        return None

    def free(self) -> int:
        """Return how many bytes the disk has room for."""
        self._coming.mkdir(parents=True, exist_ok=True)
        return shutil.disk_usage(self._coming).free

    def begin(self, resource: ResourceRecord) -> BinaryIO:
        """Open a new file to be filled, from its beginning (RES-042); whatever lies there goes first."""
        self._coming.mkdir(parents=True, exist_ok=True)
        path = self._coming / resource.sha256
        path.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        return os.fdopen(os.open(path, flags, 0o600), "wb")

    def discard(self, resource: ResourceRecord) -> None:
        """Give back the room of what came; that it is wanted stays known."""
        os.truncate(self._coming / resource.sha256, 0)

    def keep(self, resource: ResourceRecord, file: BinaryIO) -> Fingerprint | None:
        """Put a file whose content is established in its place, read-only and durable; it is closed by this."""
        file.flush()
        os.fsync(file.fileno())
        file.close()
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = self._coming / resource.sha256
        unfinished.chmod(MODE)
        unfinished.replace(self.path(resource))
        flush_folder(self.folder)
        flush_folder(self._coming)
        return _fingerprint(self.path(resource))

    def wanted(self) -> frozenset[str]:
        """Return the hashes of what was begun and is not there yet."""
        return frozenset(entry.name for entry in _entries(self._coming))

    def tidy(self, declared: Iterable[ResourceRecord]) -> None:
        """Delete what is not declared any more (RES-040)."""
        kept = {resource.sha256 for resource in declared}
        for folder in (self.folder, self._coming):
            for entry in _entries(folder):
                if entry.name not in kept:
                    entry.unlink(missing_ok=True)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []


def _fingerprint(path: Path) -> Fingerprint | None:
    try:
        seen = path.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(seen.st_mode):
        path.unlink()
        return None
    return Fingerprint(seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
