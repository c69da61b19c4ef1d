"""The organizations' folders in one home, and the index beside them. Everything here waits for the disk."""

import logging
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import is_id
from notochord.core.paths import Home, OrganizationFolder
from notochord.persistence.atomic_files import flush_folder
from notochord.persistence.failures import translated
from notochord.services.organizations.description import Description, read_description, write_description
from notochord.services.organizations.index import Index, read_index, write_index
from notochord.services.organizations.opening import make_store
from notochord.services.organizations.removal import (
    is_leftover,
    is_marked,
    mark,
    remove_content,
    remove_rest,
    unmark,
)

_log = logging.getLogger(__name__)

_PRIVATE_FOLDER = 0o700


class Folders:
    """What lies on the disk. Every method raises NotochordError for trouble with it."""

    def __init__(self, home: Home) -> None:
        self._home = home

    def of(self, identifier: str) -> OrganizationFolder:
        return self._home.organization(identifier)

    def found(self) -> list[Description]:
        """Return the organizations that can be read; folders that were copied in are among them."""
        found = []
        for identifier in self._identifiers():
            try:
                found.append(self.describe(identifier))
            except NotochordError as error:
                if error.code is not Code.ORG_NOT_FOUND:
                    _log.warning("the organization %s is left out: %s", identifier, error)
        return found

    def current(self) -> str:
        """Return the organization that was chosen, readable or not; without a choice, the only one; else nothing."""
        there = self._present()
        chosen = read_index(self._home).current
        if chosen in there:
            return chosen
        return there[0] if len(there) == 1 else ""

    def describe(self, identifier: str) -> Description:
        """Return one organization. Raises NotochordError: ORG_NOT_FOUND, ORG_DAMAGED, STORE_NEWER."""
        if not is_id(identifier) or is_marked(self.of(identifier)):
            raise not_found(identifier)
        return read_description(self.of(identifier))

    def refuse_damaged(self, name_or_id: str) -> None:
        """Raise ORG_DAMAGED (or the like) if what is asked for is there and cannot be listed."""
        wanted = name_or_id or self.current()
        names = read_index(self._home).names
        for identifier in self._present():
            if wanted in (identifier, names.get(identifier)):
                self.describe(identifier)

    def prepare_home(self) -> Path:
        """Make the home and return the file of its lock."""
        with translated(self._home.folder):
            self._home.folder.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
        return self._home.folder / "lock"

    def make(self, description: Description, key: bytes | None) -> None:
        """Make a folder with an empty store, or with none if there is no key; it counts once `complete` is called.

        The description comes last: while a folder has none, no key can have been kept for it yet.
        """
        folder = self.of(description.id)
        with translated(folder.folder):
            folder.folder.mkdir(_PRIVATE_FOLDER, parents=True)
            mark(folder)
        if key is not None:
            make_store(folder, key)
        write_description(folder, description)

    def complete(self, identifier: str) -> None:
        with translated(self.of(identifier).folder):
            unmark(self.of(identifier))
        self.remember()

    def note_no_key(self, identifier: str) -> None:
        """From now on a marked folder can be removed without asking for its key."""
        folder = self.of(identifier)
        with translated(folder.description):
            folder.description.unlink(missing_ok=True)
            flush_folder(folder.folder)

    def mark(self, identifier: str) -> None:
        """From now on the folder counts as none."""
        with translated(self.of(identifier).folder):
            mark(self.of(identifier))

    def leftovers(self) -> list[str]:
        """Return what an earlier process began to make or to remove."""
        return [identifier for identifier in self._identifiers() if is_leftover(self.of(identifier))]

    def remove(self, identifier: str) -> None:
        """Remove a leftover. Raises NotochordError if something could not be removed; then it is one still."""
        folder = self.of(identifier)
        with translated(folder.folder):
            if folder.folder.exists():
                remove_content(folder)
                remove_rest(folder)
        self.remember()

    def remember(self, *, current: str | None = None) -> None:
        """Write the index anew, with another current organization if one is given."""
        present = self._present()
        names = {**read_index(self._home).names, **{one.id: one.name for one in self.found()}}
        chosen = self.current() if current is None else current
        write_index(self._home, Index(chosen, {key: name for key, name in names.items() if key in present}))

    def refuse_inside(self, file: Path) -> None:
        """Raise INPUT_INVALID for a place in the home, which is what gets copied and stolen."""
        with translated(file):
            home = self._home.folder.resolve()
            around = [file.resolve(), *file.resolve().parents]
            inside = any(folder == home or (folder.exists() and folder.samefile(home)) for folder in around)
        if inside:
            raise NotochordError(
                Code.INPUT_INVALID, Fault.USER, "inside the data folder", field="file", why="why.inside_home"
            )

    def _present(self) -> list[str]:
        return [identifier for identifier in self._identifiers() if not is_leftover(self.of(identifier))]

    def _identifiers(self) -> list[str]:
        folder = self._home.folder / "organizations"
        with translated(folder):
            try:
                return sorted(entry.name for entry in folder.iterdir() if is_id(entry.name) and entry.is_dir())
            except FileNotFoundError:
                return []


def not_found(name_or_id: str) -> NotochordError:
    return NotochordError(Code.ORG_NOT_FOUND, Fault.USER, "no such organization", organization=name_or_id)
