"""Which paths in a user's own folder are asked about each time: dot entries, and what can be run."""

import os
import re
import stat
import unicodedata

from notochord.core.errors import NotochordError
from notochord.services.files import content, paths
from notochord.services.files.api import Root
from notochord.services.files.places import at, is_link, look

# What systems run on a double click, by Windows' PATHEXT and the usual launchers of the others.
_RUNNABLE = re.compile(
    r".*\.(app(image)?|apk|bat|(ba|c|fi|k|z)?sh|chm|cmd|com(mand)?|cpl|deb|desktop|dll|dmg|dylib|exe|gadget|hta|inf|jar"
    r"|jse?|lnk|msc|msi|msp|pif|pkg|pl|ps1|psm1|py[cwz]?|rb|reg|rpm|run|scpt|scr|sct|so|sys|url|vb[es]?|webloc|workflow"
    r"|ws[cfh]?|xll)",
    re.IGNORECASE | re.DOTALL,
)


def is_runnable(name: str) -> bool:
    """Tell by its name whether some system would run a file."""
    return _RUNNABLE.fullmatch(_seen(name)) is not None


def needs_care(root: Root, path: str, *, changes: bool) -> bool:
    """Tell whether a path is, or a folder there holds, a dot entry or (where it `changes`) something that can be run.

    Blocks. Raises OSError; a path that cannot be used needs none, since nothing will happen to it.
    """
    try:
        parts = paths.parse(path)
    except NotochordError:
        return False
    if any(_seen(part).startswith(".") for part in parts):
        return True
    if not changes or not parts:
        return False
    return is_runnable(parts[-1]) or _holds_one(root, parts)


def _holds_one(root: Root, parts: tuple[str, ...]) -> bool:
    try:
        with at(root.folder, parts) as place:
            found = look(place)
            if found is None:
                return False
            if not stat.S_ISDIR(found.st_mode):
                return _can_run(parts[-1], found)
            return any(
                _seen(below[-1]).startswith(".") or is_link(status) or _can_run(below[-1], status)
                for _, below, status in content.walk(place)
            )
    except (NotochordError, FileNotFoundError, NotADirectoryError):
        return False


def _seen(name: str) -> str:
    """Return the name without invisible characters, which the disks of some Macs pass over."""
    return "".join(letter for letter in name if unicodedata.category(letter) != "Cf")


def _can_run(name: str, found: os.stat_result) -> bool:
    if stat.S_ISDIR(found.st_mode):
        return is_runnable(name)
    return is_runnable(name) or (os.name != "nt" and bool(found.st_mode & 0o111))
