"""Takes organizations over from a folder that was copied from another computer, or kept from before."""

import os
import shutil
import stat
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import is_id
from notochord.core.paths import Home, OrganizationFolder
from notochord.persistence.atomic_files import flush_folder
from notochord.persistence.failures import translated
from notochord.persistence.folders import remove_folder
from notochord.services.organizations.description import read_description, read_object
from notochord.services.organizations.index import read_index
from notochord.services.organizations.ports import Locks

UNFINISHED = "copying"
"""No organization's id, so that nobody takes an unfinished copy for an organization."""

_PRIVATE_FOLDER = 0o700


def adopt(given: Path, home: Home, locks: Locks) -> str:
    """Copy what `given` holds into the home and return the id of the organization to open first.

    See `Organizations.adopt` for what is raised.
    """
    sources = _sources(given)
    if not sources:
        raise NotochordError(Code.ORG_NO_DATA, Fault.USER, "no organization lies there", folder=given.name)
    new = {identifier: folder for identifier, folder in sources.items() if not _is_here(home, identifier)}
    if not new:
        name = read_object(next(iter(sources.values())) / "organization.json") or {}
        raise NotochordError(Code.ORG_EXISTS, Fault.USER, "it is here already", name=str(name.get("name", "")))
    for identifier, folder in new.items():
        _refuse_open(folder, identifier, locks)
        _copy(folder, home, identifier)
    chosen = read_index(Home(given)).current
    return chosen if chosen in new else next(iter(new))


def _sources(given: Path) -> dict[str, Path]:
    """Return the organizations' folders by id: `given` is one itself, or a home, or the folder of organizations."""
    with translated(given):
        below = [*given.glob("organizations/*"), *given.glob("*")] if given.is_dir() else []
        found: dict[str, Path] = {}
        for folder in (given, *sorted(below)):
            identifier = _identifier(folder)
            if identifier:
                found.setdefault(identifier, folder)
    return found


def _identifier(folder: Path) -> str:
    if not (folder / "organization.json").is_file():
        return ""
    identifier = (read_object(folder / "organization.json") or {}).get("id")
    return identifier if isinstance(identifier, str) and is_id(identifier) else ""


def _is_here(home: Home, identifier: str) -> bool:
    return home.organization(identifier).folder.exists()


def _refuse_open(folder: Path, identifier: str, locks: Locks) -> None:
    """A copy of a database that somebody writes meanwhile would be no whole one."""
    if not (folder / "lock").exists():
        return
    try:
        lock = locks.take(folder / "lock")
    except OSError:  # a medium that cannot be written: nobody has it open for writing
        return
    if isinstance(lock, int):
        raise NotochordError(Code.ORG_OPEN, Fault.USER, f"held by {lock}", organization=identifier, pid=lock)
    lock.release()


def _copy(source: Path, home: Home, identifier: str) -> None:
    """Copy everything under a name that counts for nothing, flush it, and give it its name last."""
    target = home.organization(identifier).folder
    unfinished = target.parent / UNFINISHED / identifier
    with translated(target):
        remove_folder(unfinished.parent)
        unfinished.mkdir(_PRIVATE_FOLDER, parents=True)
        _copy_folder(source, unfinished)
    try:
        read_description(OrganizationFolder(unfinished))
        with translated(target):
            unfinished.rename(target)
            flush_folder(target.parent)
    finally:
        with translated(target):
            remove_folder(unfinished.parent)


def _copy_folder(source: Path, target: Path) -> None:
    """Copy folders and ordinary files; links and sockets are left out, since they lead elsewhere."""
    for entry in os.scandir(source):
        if entry.is_dir(follow_symlinks=False):
            (target / entry.name).mkdir(_PRIVATE_FOLDER)
            _copy_folder(Path(entry.path), target / entry.name)
        elif entry.is_file(follow_symlinks=False) and entry.name != "lock":
            _copy_file(Path(entry.path), target / entry.name)
    flush_folder(target)


def _copy_file(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)
    target.chmod(stat.S_IRUSR | stat.S_IWUSR)
    with target.open("rb+") as file:
        os.fsync(file.fileno())
