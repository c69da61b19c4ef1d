"""Run folders: `runs/<name>-<time>/` below a conversation's folder (PERM-062 ff., GEMOPEN-060)."""

import os
import stat
from datetime import datetime

from notochord.services.files import content
from notochord.services.files.api import Root
from notochord.services.files.changing import parsed
from notochord.services.files.paths import safe_name
from notochord.services.files.places import Place, at, look

RUNS = "runs"
TEMPORARY = "tmp"
NAME_CHARACTERS = 60


def make(root: Root, name: str, now: datetime) -> str:
    """Make a new folder `runs/<name>-<YYYYMMDD-HHMMSS>`, then -2, -3, and return its path; `now` is local time."""
    plain = safe_name(" ".join(name.split())[:NAME_CHARACTERS], hide_dots=True).replace(" ", "-")
    wanted = f"{plain}-{now:%Y%m%d-%H%M%S}"
    number = 1
    while True:
        folder = wanted if number == 1 else f"{wanted}-{number}"
        with at(root.folder, (RUNS, folder), make=True) as place:
            try:
                os.mkdir(place.name, dir_fd=place.folder)
            except FileExistsError:
                number += 1
                continue
        return f"{RUNS}/{folder}"


def end(root: Root, path: str, *, succeeded: bool) -> bool:
    """Delete `tmp/` after a success, and the folder if no file is left in it; tell whether files are left."""
    parts = parsed(root, path)
    with at(root.folder, parts) as place:
        if look(place) is None:
            return False
    if succeeded:
        with at(root.folder, (*parts, TEMPORARY)) as temporary:
            if _is_folder(temporary):
                content.remove(temporary)
    with at(root.folder, parts) as place:
        if any(not stat.S_ISDIR(status.st_mode) for _, _, status in content.walk(place)):
            return True
        content.remove(place)
    if len(parts) > 1:
        with at(root.folder, parts[:-1]) as above:
            content.remove_if_empty(above)
    return False


def _is_folder(place: Place) -> bool:
    found = look(place)
    return found is not None and stat.S_ISDIR(found.st_mode)
