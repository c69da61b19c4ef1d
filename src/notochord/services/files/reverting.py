"""The blocking half of taking changes back: what changed since is left alone (PERM-105)."""

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from notochord.services.files import content
from notochord.services.files.changing import missing_parents
from notochord.services.files.content import Attributes
from notochord.services.files.kept import KeptCopies
from notochord.services.files.places import Place, at, look, make_folders
from notochord.services.files.records import Kind, Record


@dataclass(frozen=True, slots=True)
class Plan:
    """What a revert of one record will do: nothing is needed (`due` False), or it is possible, or it is not."""

    possible: bool
    due: bool = False
    kept_after: str = ""


_LEAVE = Plan(possible=False)
_DONE = Plan(possible=True)
_WITH_CONTENT = frozenset({Kind.WRITTEN, Kind.DELETED, Kind.MOVED})


class Reverting:
    """Looks at one change, and takes it back; every method blocks and raises OSError or NotochordError."""

    def __init__(self, *, kept: KeptCopies) -> None:
        self._kept = kept

    def plan(self, record: Record) -> Plan:
        """Compare the disk with what the change left there; keep the content that the revert will replace."""
        match record.kind:
            case Kind.WRITTEN | Kind.DELETED:
                return self._plan_content(record)
            case Kind.MOVED:
                return self._plan_move(record)
            case Kind.FOLDER_MADE:
                return self._plan_made_folder(record)
            case Kind.FOLDER_DELETED:
                return Plan(True, due=True) if self._now(record) == "" else _DONE
            case Kind.TAKEN_IN:
                return _LEAVE

    def apply(self, record: Record, *, due: bool) -> None:
        """Take the change back as planned, and whatever a kill left of it."""
        if due:
            self._take_back(record)
        _drop_unfinished(record)
        _remove_made_folders(record)

    def settle(self, record: Record) -> None:
        """Leave a change that a kill cut off either not begun or whole; one that is whole stays as it is."""
        _drop_unfinished(record)
        if record.kind is Kind.MOVED and _is_cut_off(record):
            _drop_remnant(record)

    def _take_back(self, record: Record) -> None:
        match record.kind:
            case Kind.WRITTEN | Kind.DELETED:
                self._restore(record)
            case Kind.MOVED:
                _move_back(record)
            case Kind.FOLDER_DELETED:
                make_folders(Path(record.root), _parts(record.path))
            case Kind.FOLDER_MADE | Kind.TAKEN_IN:
                pass  # a folder that was made is among the made folders

    def _plan_content(self, record: Record) -> Plan:
        now = self._now(record)
        if now == record.before:
            return _DONE
        if now != record.after or not record.revertible:
            return _LEAVE
        if not now:
            return Plan(True, due=True)
        with at(Path(record.root), _parts(record.path)) as place:
            return Plan(True, due=True, kept_after=self._kept.save(content.chunks(place)))

    def _plan_move(self, record: Record) -> Plan:
        origin = _fingerprint(record.root, record.path)
        moved = _fingerprint(record.to_root, record.to_path)
        if origin == record.after and not moved:
            return _DONE
        if moved == record.after and not origin:
            return Plan(True, due=True)
        return Plan(True, due=True) if _is_cut_off(record) else _LEAVE

    def _plan_made_folder(self, record: Record) -> Plan:
        if _absent(record.root, record.path):
            return _DONE
        with at(Path(record.root), _parts(record.path)) as place:
            if not _is_folder(place):
                return _LEAVE
            return _LEAVE if any(True for _ in content.walk(place)) else Plan(True, due=True)

    def _restore(self, record: Record) -> None:
        root, parts = Path(record.root), _parts(record.path)
        if not record.before:
            with at(root, parts) as place:
                content.remove(place)
            return
        attributes = Attributes(record.mode, record.modified)
        with at(root, parts, make=True) as place:
            replace = record.kind is Kind.WRITTEN
            kept = self._kept.read(record.kept)
            content.put(place, kept, attributes=attributes, replace=replace, record=record.id)

    def _now(self, record: Record) -> str:
        """Return the SHA-256 of what is there now, "" for nothing."""
        if _absent(record.root, record.path):
            return ""
        with at(Path(record.root), _parts(record.path)) as place:
            return content.digest(place)


def _parts(path: str) -> tuple[str, ...]:
    return tuple(path.split("/"))


def _absent(root: str, path: str) -> bool:
    """Tell whether a folder on the way is missing, or the item itself."""
    parts = _parts(path)
    if missing_parents(Path(root), parts):
        return True
    with at(Path(root), parts) as place:
        return look(place) is None


def _fingerprint(root: str, path: str) -> str:
    if _absent(root, path):
        return ""
    with at(Path(root), _parts(path)) as place:
        return content.fingerprint(place)


def _is_folder(place: Place) -> bool:
    found = look(place)
    return found is not None and stat.S_ISDIR(found.st_mode)


def _is_cut_off(record: Record) -> bool:
    """Tell whether a move lies at both its ends: one is what moved, and the other a remnant of it."""
    if _absent(record.root, record.path) or _absent(record.to_root, record.to_path):
        return False
    with _ends(record) as (origin, moved):
        if content.fingerprint(origin) == record.after:
            return content.is_remnant(moved, origin)
        return content.fingerprint(moved) == record.after and content.is_remnant(origin, moved)


def _drop_remnant(record: Record) -> None:
    with _ends(record) as (origin, moved):
        content.remove(moved if content.fingerprint(origin) == record.after else origin)


def _move_back(record: Record) -> None:
    if _is_cut_off(record):
        _drop_remnant(record)
    with _ends(record, make=True) as (origin, moved):
        if content.fingerprint(origin) != record.after:
            content.move(moved, origin, record.id)


@contextmanager
def _ends(record: Record, *, make: bool = False) -> Iterator[tuple[Place, Place]]:
    """Hold both ends of a move; with `make`, missing folders on the way to its origin are made."""
    with (
        at(Path(record.to_root), _parts(record.to_path)) as moved,
        at(Path(record.root), _parts(record.path), make=make) as origin,
    ):
        yield origin, moved


def _drop_unfinished(record: Record) -> None:
    ends = [(record.root, record.path)] if record.kind in _WITH_CONTENT else []
    ends += [(record.to_root, record.to_path)] if record.kind is Kind.MOVED else []
    for root, path in ends:
        if not missing_parents(Path(root), _parts(path)):
            with at(Path(root), _parts(path)) as place:
                content.drop_unfinished(place, record.id)


def _remove_made_folders(record: Record) -> None:
    """Delete the folders that the change made on its way, as long as they are empty; some may not have been reached."""
    moved = record.kind is Kind.MOVED
    root, parts = Path(record.to_root if moved else record.root), _parts(record.to_path if moved else record.path)
    itself = 1 if record.kind is Kind.FOLDER_MADE else 0
    longest = len(parts) - 1 + itself
    for length in range(longest, max(0, longest - record.made - itself), -1):
        if missing_parents(root, parts[:length]):
            continue
        with at(root, parts[:length]) as place:
            if not content.remove_if_empty(place):
                return
