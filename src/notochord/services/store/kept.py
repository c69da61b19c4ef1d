"""The last list on the disk, so that the store is there without a network, and packages while they arrive."""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from notochord.core.strict_json import decode, encode
from notochord.persistence.atomic_files import write_atomically
from notochord.persistence.failures import as_failure
from notochord.persistence.folders import remove_folder
from notochord.services.store.index import MAX_INDEX_BYTES

_LIST = "list.json"
_HEAD = "came.json"
_ARRIVING = "arriving"


class Kept:
    """Files in `folder`, which is made when it is needed. All methods do blocking work."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, address: str) -> tuple[bytes, int]:
        """Return the list that last came from an address and when; empty and 0 if there is none that can be read."""
        try:
            head = decode((self._folder / _HEAD).read_bytes())
            with (self._folder / _LIST).open("rb") as file:
                content = file.read(MAX_INDEX_BYTES + 1)
        except (OSError, ValueError):
            return b"", 0
        if not isinstance(head, dict) or head.get("of") != _mark(address, content):
            return b"", 0
        came_at = head.get("came_at")
        return content, came_at if isinstance(came_at, int) else 0

    def write(self, address: str, content: bytes, came_at: int) -> None:
        """Keep a list; a kill in between leaves none, and it is fetched again. Raises DISK_FULL, DISK_IO."""
        with self._failures():
            self._folder.mkdir(0o700, parents=True, exist_ok=True)
            write_atomically(self._folder / _LIST, content)
            head = encode({"of": _mark(address, content), "came_at": came_at})
            write_atomically(self._folder / _HEAD, head.encode())

    def sweep(self) -> None:
        """Delete what an interrupted download left. Raises DISK_IO."""
        with self._failures():
            remove_folder(self._folder / _ARRIVING)

    @contextmanager
    def arriving(self) -> Iterator[Path]:
        """Give the name of a new file for a package, which is gone afterwards. Raises DISK_FULL, DISK_IO."""
        with self._failures():
            folder = self._folder / _ARRIVING
            folder.mkdir(0o700, parents=True, exist_ok=True)
            file = folder / f"{secrets.token_hex(8)}.gem"
            try:
                yield file
            finally:
                file.unlink(missing_ok=True)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise as_failure(error, self._folder) from error


def _mark(address: str, content: bytes) -> str:
    """Tell where a list is from without naming it: the address is the user's, and this file is not encrypted."""
    return hashlib.sha256(address.encode() + b"\0" + content).hexdigest()
