"""Where the socket of an organization lies."""

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from notochord.core.paths import OrganizationFolder

NAME = "control.sock"
LONGEST_ADDRESS = 103 if sys.platform == "darwin" else 107
"""`sun_path` without its closing zero."""


def places(folder: OrganizationFolder, environment: Mapping[str, str], user: int) -> list[Path]:
    """Return where the socket may lie, in the order to try: the organization's folder, a short runtime folder.

    The second serves where the first is too long for an address, or on a file system that knows no sockets.
    """
    inside = folder.folder.resolve() / NAME
    digest = hashlib.sha256(os.fsencode(folder.folder.resolve())).hexdigest()[:24]
    outside = _runtime(environment, user) / f"{digest}.sock"
    return [place for place in (inside, outside) if len(os.fsencode(place)) <= LONGEST_ADDRESS]


def prepare(place: Path, user: int) -> None:
    """Make the socket's folder, for this user only. Raises PermissionError if another user could swap the socket."""
    if place.name == NAME:
        return
    place.parent.mkdir(mode=0o700, exist_ok=True)
    check(place, user)


def check(place: Path, user: int) -> None:
    """Raise PermissionError unless the folder of a socket outside the organization is this user's alone."""
    found = place.parent.lstat()
    if place.name != NAME and (not stat.S_ISDIR(found.st_mode) or found.st_uid != user or found.st_mode & 0o077):
        raise PermissionError(f"{place.parent} is open to others")


def _runtime(environment: Mapping[str, str], user: int) -> Path:
    given = environment.get("XDG_RUNTIME_DIR")
    if given and Path(given).is_dir() and len(given) <= LONGEST_ADDRESS // 2:
        return Path(given) / "notochord"
    temporary = Path("/tmp") if sys.platform != "win32" else Path(tempfile.gettempdir())
    return temporary / f"notochord-{user}"
