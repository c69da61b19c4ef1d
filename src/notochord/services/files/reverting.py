"""The blocking half of taking changes back: what changed since is left alone (PERM-105)."""

import stat
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

    def apply(self, record: Record) -> None:
        """Take the change back as planned."""
        root, parts = Path(record.root), _parts(record.path)
        match record.kind:
            case Kind.WRITTEN | Kind.DELETED:
                self._restore(record, root, parts)
            case Kind.MOVED:
                to_root, to = Path(record.to_root), _parts(record.to_path)
                with at(to_root, to) as moved, at(root, parts, make=True) as origin:
                    content.move(moved, origin)
                _remove_empty(to_root, to[:-1], record.made)
            case Kind.FOLDER_MADE:
                _remove_empty(root, parts, record.made + 1)
            case Kind.FOLDER_DELETED:
                make_folders(root, parts)
            case Kind.TAKEN_IN:
                pass

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
        return Plan(True, due=True) if moved == record.after and not origin else _LEAVE

    def _plan_made_folder(self, record: Record) -> Plan:
        if _absent(record.root, record.path):
            return _DONE
        with at(Path(record.root), _parts(record.path)) as place:
            if not _is_folder(place):
                return _LEAVE
            return _LEAVE if any(True for _ in content.walk(place)) else Plan(True, due=True)

    def _restore(self, record: Record, root: Path, parts: tuple[str, ...]) -> None:
        if not record.before:
            with at(root, parts) as place:
                content.remove(place)
            _remove_empty(root, parts[:-1], record.made)
            return
        attributes = Attributes(record.mode, record.modified)
        with at(root, parts, make=True) as place:
            replace = record.kind is Kind.WRITTEN
            content.put(place, self._kept.read(record.kept), attributes=attributes, replace=replace)

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


def _remove_empty(root: Path, parts: tuple[str, ...], count: int) -> None:
    """Delete up to `count` folders from `parts` upwards, as long as they are empty."""
    for length in range(len(parts), max(0, len(parts) - count), -1):
        with at(root, parts[:length]) as place:
            if not content.remove_if_empty(place):
                return
