"""Puts a migrated copy in the place of a database, so that a kill leaves the old one or the new one.

Beside `data.db`, `data.db.next-<stamp>` is a whole, migrated database that waits for the version with this stamp to be
the current one; `data.db.part-<stamp>` is one that is being made; `data.db.bak-<time>` is what was there before the
last migration.
"""

import errno
import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

from notochord.persistence.atomic_files import flush_folder
from notochord.persistence.key_check import log_of

Boundary = Callable[[str], None]
"""Told at each durable boundary; a test ends the process there."""


class Changeover:
    """The files of one database. Methods block and raise OSError."""

    def __init__(self, database: Path, stamp: str) -> None:
        self._folder = database.parent
        self._name = database.name
        mark = hashlib.sha256(stamp.encode()).hexdigest()[:16]
        self.database = database
        self.part = self._folder / f"{self._name}.part-{mark}"
        self.next = self._folder / f"{self._name}.next-{mark}"

    def copy(self) -> None:
        """Copy the database with its log; nobody writes to it meanwhile."""
        self.abandon()
        shutil.copyfile(self.database, self.part)
        if log_of(self.database).exists():
            shutil.copyfile(log_of(self.database), log_of(self.part))

    def made(self) -> None:
        """Give the finished copy, which is closed and on the disk, the name under which it waits."""
        if log_of(self.part).exists():
            raise OSError(errno.EBUSY, "the copy still has a log")
        self.part.replace(self.next)
        flush_folder(self._folder)

    def abandon(self) -> None:
        """Delete what was made for this stamp."""
        for path in (self.part, self.next):
            _delete(path)

    def settle(self, now: int, boundary: Boundary) -> None:
        """Take over the copy that waits for this stamp, if there is one, and delete what waits for others.

        `now` names the file that the database becomes; a kill between the steps is finished by the next call.
        """
        if self.next.exists():
            if self.database.exists():
                kept = self._folder / f"{self._name}.bak-{now}"
                if log_of(self.database).exists():
                    log_of(self.database).replace(log_of(kept))
                self.database.replace(kept)
                _shared(self.database).unlink(missing_ok=True)
                flush_folder(self._folder)
                boundary("database kept")
            self.next.replace(self.database)
            flush_folder(self._folder)
            boundary("copy in place")
        for path in sorted(self._folder.glob(f"{self._name}.next-*")) + sorted(
            self._folder.glob(f"{self._name}.part-*")
        ):
            path.unlink(missing_ok=True)
        for older in self._kept()[:-1]:
            _delete(older)

    def _kept(self) -> list[Path]:
        """Return the databases from before migrations, the oldest first."""
        found = [path for path in self._folder.glob(f"{self._name}.bak-*") if path.suffix[5:].isdigit()]
        return sorted(found, key=lambda path: int(path.suffix[5:]))


def _shared(path: Path) -> Path:
    """Return where the connections of a database keep what they share; it is worth nothing without them."""
    return path.with_name(f"{path.name}-shm")


def _delete(path: Path) -> None:
    for name in (path, log_of(path), _shared(path)):
        name.unlink(missing_ok=True)
