"""Which folders may be worked in: the user's own documents, nothing of the system (PERM-118 to PERM-125)."""

import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.surrogates import has_surrogates, mended

# Closed with everything in them; what stands in _OPEN is excepted, but not the named folder itself.
_CLOSED = {
    "linux": (
        "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/lost+found", "/nix", "/opt", "/proc",
        "/root", "/run", "/sbin", "/snap", "/sys", "/usr", "/var", "~/snap",
    ),
    "darwin": (
        "/Applications", "/Library", "/Network", "/System", "/bin", "/cores", "/dev", "/etc", "/opt", "/private",
        "/sbin", "/tmp", "/usr", "/var", "~/Applications", "~/Library",
    ),
    "win32": (
        "C:/$Recycle.Bin", "C:/PerfLogs", "C:/Program Files", "C:/Program Files (x86)", "C:/ProgramData", "C:/Recovery",
        "C:/System Volume Information", "C:/Windows", "~/AppData",
    ),
}  # fmt: skip
_OPEN = {
    "linux": ("/run/media",),
    "darwin": ("/private/tmp", "/private/var/folders", "~/Library/CloudStorage", "~/Library/Mobile Documents"),
    "win32": ("~/AppData/Local/Temp",),
}
# Closed themselves, open below.
_SHELVES = {
    "linux": ("/home", "/media", "/mnt", "/srv", "/tmp"),
    "darwin": ("/Users", "/Users/Shared", "/Volumes"),
    "win32": ("C:/Users", "C:/Users/Public"),
}
_WHY = {
    "missing": "why.choice_missing", "name": "why.choice_name", "root": "why.choice_root", "home": "why.choice_home",
    "data": "why.choice_data", "system": "why.choice_system", "hidden": "why.choice_hidden",
}  # fmt: skip
_FOLDED = frozenset({"darwin", "win32"})
_HIDDEN_WINDOWS = getattr(stat, "FILE_ATTRIBUTE_HIDDEN", 2) | getattr(stat, "FILE_ATTRIBUTE_SYSTEM", 4)
_HIDDEN_MAC = getattr(stat, "UF_HIDDEN", 0x8000)


@dataclass(frozen=True, slots=True)
class ChoiceRules:
    """The rules of one machine: `system` is linux, darwin or win32; `data` is this program's own folder."""

    system: str
    home: PurePath
    data: PurePath

    def reason(self, folder: PurePath) -> str:
        """Return why a resolved folder is refused: root, home, data, system, hidden; "" if it may be chosen."""
        folder, home, data = self._folded(folder), self._folded(self.home), self._folded(self.data)
        if folder == type(folder)(folder.anchor):
            return "root"
        if home.is_relative_to(folder):
            return "home"
        if folder.is_relative_to(data) or data.is_relative_to(folder):
            return "data"
        below_home = folder.is_relative_to(home)
        if self._is_system(folder, below_home):
            return "system"
        named = folder.relative_to(home).parts if below_home else folder.parts[1:]
        return "hidden" if any(part.startswith(".") for part in named) else ""

    def _is_system(self, folder: PurePath, below_home: bool) -> bool:
        if any(folder == place for place in self._places(_SHELVES)):
            return True
        if any(folder.is_relative_to(place) and folder != place for place in self._places(_OPEN)):
            return False
        home = self._folded(self.home)
        return any(
            folder.is_relative_to(place) or place.is_relative_to(folder)
            for place in self._places(_CLOSED)
            if not (below_home and home.is_relative_to(place))  # the home of root lies in a closed place
        )

    def _places(self, table: dict[str, tuple[str, ...]]) -> Iterable[PurePath]:
        kind, home = type(self.home), self._folded(self.home)
        for place in table.get(self.system, ()):
            if place.startswith("~/"):
                yield home.joinpath(self._folded(kind(place[2:])))
            else:
                yield self._folded(kind(place))

    def _folded(self, path: PurePath) -> PurePath:
        return type(path)(str(path).casefold()) if self.system in _FOLDED else path


def check(folder: Path, rules: ChoiceRules) -> Path:
    """Return the resolved folder. Raises FOLDER_REFUSED with a `reason`, also for what is no folder. Blocks."""
    try:
        resolved = folder.expanduser().resolve(strict=True)
        found = resolved.stat()
    except (OSError, RuntimeError, ValueError) as error:
        raise _refused(folder, "missing") from error
    if not stat.S_ISDIR(found.st_mode):
        raise _refused(folder, "missing")
    if has_surrogates(str(resolved)):  # a name that is no text, which nothing could keep
        raise _refused(folder, "name")
    reason = rules.reason(resolved) or ("hidden" if _is_hidden(found) else "")
    if reason:
        raise _refused(folder, reason)
    return resolved


def _is_hidden(found: object) -> bool:
    attributes, flags = getattr(found, "st_file_attributes", 0), getattr(found, "st_flags", 0)
    return bool(attributes & _HIDDEN_WINDOWS or flags & _HIDDEN_MAC)


def _refused(folder: Path, reason: str) -> NotochordError:
    detail = f"this folder cannot be chosen ({reason}); choose one with documents of your own"
    shown = mended(str(folder))
    return NotochordError(Code.FOLDER_REFUSED, Fault.POLICY, detail, folder=shown, reason=reason, why=_WHY[reason])
