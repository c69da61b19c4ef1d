"""The blocking half of every change: what is kept before it, and the change itself; no word of the database here."""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.files import content, paths
from notochord.services.files.api import Root
from notochord.services.files.content import Attributes
from notochord.services.files.failures import exists, missing, no_file, outside
from notochord.services.files.kept import KeptCopies
from notochord.services.files.places import Place, at, is_link, is_taken, leads_to, look
from notochord.services.files.ports import OriginMark, Trash
from notochord.services.files.records import Kind

KEPT_BYTES = 100 * 1_000_000


class ChangedMeanwhileError(Exception):
    """Something else changed the file between keeping it and replacing it; keep it again."""


@dataclass(frozen=True, slots=True)
class Before:
    """A file as it was: `identity` tells whether it is still that one; `trashed`: it goes to the trash, not kept."""

    digest: str = ""
    kept: str = ""
    mode: int = 0
    modified: int = 0
    identity: tuple[int, int, int] = (0, 0, 0)
    trashed: bool = False
    made: int = 0


@dataclass(frozen=True, slots=True)
class Doomed:
    """One file or folder of what is about to be deleted."""

    kind: Kind
    parts: tuple[str, ...]
    before: Before


def discard(trash: Trash, place: Place) -> None:
    """Move what is at `place` to the trash. Raises PATH_OUTSIDE if its path leads to another folder by now, OSError.

    The trash takes paths only, and must be given the real one: it is where the user's "put back" puts the item, so a
    private name would lose it. What is left is the moment between this look and the library's own move; no guest or
    agent can make a link, and whoever else can on this computer can delete the user's files anyway.
    """
    if not leads_to(place):
        raise outside(place.name)
    trash.discard(place.path)


class Changing:
    """Keeps and changes files; every method blocks and raises OSError or NotochordError."""

    def __init__(self, *, kept: KeptCopies, trash: Trash | None, mark: OriginMark | None) -> None:
        self._kept = kept
        self._trash = trash
        self._mark = mark

    def keep(self, root: Root, parts: tuple[str, ...]) -> Before:
        """Keep what a write to `parts` will replace. Raises FILE_EXISTS if that is a folder."""
        if made := missing_parents(root.folder, parts):
            return Before(made=made)
        with at(root.folder, parts) as place:
            found = look(place)
            if found is not None and stat.S_ISDIR(found.st_mode):
                raise exists("/".join(parts))
            return self._keep(place, root)

    def write(
        self, root: Root, parts: tuple[str, ...], chunks: Iterable[bytes], before: Before, record: str = ""
    ) -> None:
        """Replace what was kept by new content. Raises ChangedMeanwhileError, and nothing was changed."""
        with at(root.folder, parts, make=True) as place:
            found = look(place)

            def ready() -> None:
                if _identity(look(place)) != before.identity:
                    raise ChangedMeanwhileError
                if before.trashed and self._trash is not None:
                    discard(self._trash, place)

            attributes = None if found is None else Attributes(stat.S_IMODE(found.st_mode))
            content.put(place, chunks, attributes=attributes, record=record, ready=ready)
            self.mark(place)

    def take_in(self, root: Root, source: Path) -> str:
        """Copy a file of the user's under a free name and return it. Raises FILE_MISSING, OSError."""
        wanted, number = paths.safe_name(source.name, hide_dots=root.hide_dots), 1
        if not source.is_file():
            raise missing(source.name)
        while True:
            name = wanted if number == 1 else paths.numbered(wanted, number)
            with at(root.folder, (name,)) as place, source.open("rb") as file:
                try:
                    if not is_taken(place):
                        content.put(place, iter(lambda: file.read(content.CHUNK), b""), replace=False)
                        self.mark(place)
                        return name
                except NotochordError as error:
                    if error.code is not Code.FILE_EXISTS:
                        raise
            number += 1

    def mark(self, place: Place) -> None:
        """Mark a file as come from elsewhere, where the system has such a mark."""
        if self._mark is not None:
            self._mark.mark(place.path)

    def keep_all(self, root: Root, parts: tuple[str, ...]) -> list[Doomed]:
        """Keep a file, or each file of a folder, before it is deleted. Raises FILE_MISSING, PATH_INVALID."""
        with at(root.folder, parts) as place:
            found = look(place)
            if found is None:
                raise missing("/".join(parts))
            if not stat.S_ISDIR(found.st_mode):
                return [Doomed(Kind.DELETED, parts, self._keep(place, root))]
            refuse_hidden(place, root)
            doomed = [_folder(parts, found)]
            for child, below, status in content.walk(place):
                if stat.S_ISDIR(status.st_mode) and not is_link(status):
                    doomed.append(_folder((*parts, *below), status))
                elif stat.S_ISREG(status.st_mode):
                    doomed.append(Doomed(Kind.DELETED, (*parts, *below), self._keep(child, root)))
            return doomed

    def delete(self, root: Root, parts: tuple[str, ...]) -> None:
        """Move to the trash, or delete where there is none."""
        with at(root.folder, parts) as place:
            if look(place) is None:
                raise missing("/".join(parts))
            if self._trash is None:
                content.remove(place)
            else:
                discard(self._trash, place)

    def move(self, source: Root, parts: tuple[str, ...], target: Root, to: tuple[str, ...], record: str) -> None:
        """Move or rename. Raises FILE_MISSING, FILE_EXISTS, PATH_INVALID."""
        with at(source.folder, parts) as origin, at(target.folder, to, make=True) as goal:
            content.move(origin, goal, record)

    def before_move(self, source: Root, parts: tuple[str, ...], target: Root, to: tuple[str, ...]) -> tuple[str, int]:
        """Check a move; return the fingerprint of what moves and how many folders it will make."""
        with at(source.folder, parts) as origin:
            found = look(origin)
            if found is None:
                raise missing("/".join(parts))
            if stat.S_ISDIR(found.st_mode):
                refuse_hidden(origin, source)
                refuse_hidden(origin, target)
                if (target.folder.joinpath(*to)).is_relative_to(source.folder.joinpath(*parts)):
                    raise NotochordError(Code.PATH_INVALID, Fault.USER, "a folder cannot move into itself")
                refuse_depth(origin, to)
            fingerprint = content.fingerprint(origin)
        made = missing_parents(target.folder, to)
        if not made:
            with at(target.folder, to) as goal:
                if look(goal) is not None:
                    raise exists("/".join(to))
        return fingerprint, made

    def _keep(self, place: Place, root: Root) -> Before:
        found = look(place)
        if found is None:
            return Before()
        if not stat.S_ISREG(found.st_mode):
            raise no_file(place.path.name)
        attributes, identity = Attributes.of(found), _identity(found)
        before = Before(mode=attributes.mode, modified=attributes.modified, identity=identity)
        if not root.history:
            return before
        if found.st_size > KEPT_BYTES and self._trash is not None:
            return Before(f"{found.st_size} bytes", "", before.mode, before.modified, identity, trashed=True)
        summed = content.Summed(content.chunks(place))
        kept = self._kept.save(summed)
        return Before(summed.digest(), kept, before.mode, before.modified, identity)


def parsed(root: Root, path: str) -> tuple[str, ...]:
    """Return the components of a path that must not be the root itself."""
    parts = paths.parse(path, hide_dots=root.hide_dots)
    if not parts:
        raise NotochordError(Code.PATH_INVALID, Fault.USER, "name a file or a folder, not the whole folder", path=path)
    return parts


def missing_parents(root: Path, parts: tuple[str, ...]) -> int:
    """Return how many folders on the way do not exist yet. Raises PATH_OUTSIDE, OSError."""
    for length in range(1, len(parts)):
        with at(root, parts[:length]) as place:
            if look(place) is None:
                return len(parts) - length
    return 0


def refuse_hidden(place: Place, root: Root) -> None:
    """Raise PATH_INVALID if a folder holds something that is closed in the root."""
    if root.hide_dots and any(parts[-1].startswith(".") for _, parts, _ in content.walk(place)):
        detail = "the folder holds names that begin with a dot; these are closed here"
        raise NotochordError(Code.PATH_INVALID, Fault.POLICY, detail, path=place.path.name)


def refuse_depth(origin: Place, to: tuple[str, ...]) -> None:
    """Raise PATH_INVALID if something in a folder would lie deeper at `to` than any path leads."""
    if len(to) + max((len(below) for _, below, _ in content.walk(origin)), default=0) > paths.MAX_DEPTH:
        raise NotochordError(Code.PATH_INVALID, Fault.USER, "the folders would be nested too deeply", path="/".join(to))


def _folder(parts: tuple[str, ...], found: os.stat_result) -> Doomed:
    return Doomed(Kind.FOLDER_DELETED, parts, Before(mode=stat.S_IMODE(found.st_mode)))


def _identity(found: os.stat_result | None) -> tuple[int, int, int]:
    return (0, 0, 0) if found is None else (found.st_ino, found.st_size, found.st_mtime_ns)
