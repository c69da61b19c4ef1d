"""Puts a migrated copy in the place of a database, so that a kill leaves the old one or the new one.

Beside `data.db`, `data.db.next-<stamp>` is a whole, migrated database that waits for the version with this stamp to be
the current one; `data.db.part-<stamp>` is one that is being made; `data.db.bak-<time>` is what was there before the
last migration. What cannot be deleted when it is of no use any more is passed over: the next opening tries again.
"""

import errno
import hashlib
import logging
import shutil
from collections.abc import Callable
from pathlib import Path

from notochord.persistence.atomic_files import flush_folder
from notochord.persistence.key_check import log_of

_log = logging.getLogger(__name__)

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
        self.clear()
        shutil.copyfile(self.database, self.part)
        if log_of(self.database).exists():
            shutil.copyfile(log_of(self.database), log_of(self.part))

    def made(self) -> None:
        """Give the finished copy, which is closed and on the disk, the name under which it waits."""
        if log_of(self.part).exists():
            raise OSError(errno.EBUSY, "the copy still has a log")
        self.part.replace(self.next)
        flush_folder(self._folder)

    def clear(self) -> None:
        """Delete what lies there for this stamp, before something is made for it: it would be taken for that."""
        for path in (self.next, self.part):
            for name in _files_of(path):
                name.unlink(missing_ok=True)

    def abandon(self) -> None:
        """Delete what was made for this stamp and is not wanted."""
        for path in (self.next, self.part):
            _sweep(path)

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
                _pass_over(_shared(self.database))  # the first connection to a database makes its own
                flush_folder(self._folder)
                boundary("database kept")
            self.next.replace(self.database)
            flush_folder(self._folder)
            boundary("copy in place")
        for kind in ("next", "part"):
            for path in sorted(self._folder.glob(f"{self._name}.{kind}-*")):
                _pass_over(path)
        for older in self._kept()[:-1]:
            _sweep(older)

    def _kept(self) -> list[Path]:
        """Return the databases from before migrations, the oldest first."""
        found = [path for path in self._folder.glob(f"{self._name}.bak-*") if path.suffix[5:].isdigit()]
        return sorted(found, key=lambda path: int(path.suffix[5:]))


def _shared(path: Path) -> Path:
    """Return where the connections of a database keep what they share; it is worth nothing without them."""
    return path.with_name(f"{path.name}-shm")


def _files_of(path: Path) -> tuple[Path, Path, Path]:
    """Return the files of a database; the one by which it is found is the last."""
    return log_of(path), _shared(path), path


def _sweep(path: Path) -> None:
    """Delete a database; one that cannot be deleted whole keeps its name, so that it is found again."""
    _ = all(_pass_over(name) for name in _files_of(path))


def _pass_over(path: Path) -> bool:
    """Delete a file that is of no use, and tell whether it is gone."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("%s stays until the next opening: %s", path.name, error)
        return False
    return True
