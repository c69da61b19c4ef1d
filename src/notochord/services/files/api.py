"""The door to files of conversations and runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from notochord.core.caller import Cause


class EntryType(StrEnum):
    FILE = "file"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a folder; `modified` in milliseconds since 1970."""

    name: str
    type: EntryType
    size: int
    modified: int


@dataclass(frozen=True, slots=True)
class Root:
    """A folder that paths are resolved in. `hide_dots` hides and closes every component that begins with a dot.

    With `history`, what is overwritten or deleted is kept first (PERM-096 to PERM-102).
    """

    folder: Path
    hide_dots: bool
    history: bool


@dataclass(frozen=True, slots=True)
class Version:
    """What a file held before the change made at `at` (milliseconds since 1970).

    `by_agent` tells that an answer made that change, not the user.
    """

    id: str
    at: int
    by_agent: bool


def may_be_opened(name: str) -> bool:
    """Tell whether a file of this name may be handed to another program; all others are shown in their folder.

    Its kind must be one that programs only show or play: what a guest or a model wrote is hostile.
    """
    if name != name.strip(" .") or ":" in name:  # Windows drops these, or takes them for a hidden stream
        return False
    stem, dot, ending = name.rpartition(".")
    return bool(stem and dot) and ending.casefold() in SHOWN_KINDS


SHOWN_KINDS = frozenset({
    *("txt", "md", "csv", "tsv", "json", "log", "yaml", "yml", "rtf", "pdf"),
    *("docx", "xlsx", "pptx", "odt", "ods", "odp"),
    *("png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff"),
    *("mp3", "wav", "ogg", "flac", "m4a", "mp4", "webm", "mov"),
})  # fmt: skip
"""HTML, SVG, scripts, programs, links, archives and documents with macros are not here."""


class Opening(Protocol):
    """Shows files to the user in other programs, as far as that is safe."""

    def open_file(self, path: Path) -> bool:
        """Open a file with the system's program for it, or show its folder where `may_be_opened` says no.

        Tell whether anything was shown: a link, or something that is no file, is never opened.
        """

    def show_folder(self, path: Path) -> bool:
        """Show a folder in the system's file manager; tell whether that worked."""


class FileVersions(Protocol):
    """The versions of a conversation's file that the history holds."""

    async def versions(self, root: Root, path: str, conversation: str) -> tuple[Version, ...]:
        """Return what the file held before, latest first; only what was kept whole (PERM-097)."""

    async def read_version(self, version: str, *, max_bytes: int) -> bytes:
        """Raises NOT_FOUND, PAYLOAD_TOO_LARGE, STORE_DAMAGED."""

    async def restore(self, root: Root, path: str, version: str, cause: Cause) -> None:
        """Make the file what it was; what it holds now is in the history first. Raises as `write`, and NOT_FOUND."""


class Files(Protocol):
    """Reads and writes below a root. Paths are relative, with forward slashes; "" is the root itself.

    Every method raises NotochordError: PATH_OUTSIDE (absolute, `..`, a link on the way), PATH_INVALID (control
    characters, names that Windows reserves, dots where hidden), FILE_MISSING, FILE_EXISTS, DISK_FULL.
    """

    async def list(self, root: Root, path: str = "") -> Sequence[Entry]: ...

    async def stat(self, root: Root, path: str) -> Entry | None: ...

    async def read(self, root: Root, path: str, *, max_bytes: int) -> bytes:
        """Return the content. Raises PAYLOAD_TOO_LARGE."""

    async def write(self, root: Root, path: str, content: bytes, cause: Cause) -> None:
        """Put content in place atomically, making parent folders; the old content is in the history first."""

    async def make_folder(self, root: Root, path: str, cause: Cause | None = None) -> None:
        """Make a folder with its parents; one that exists already is fine. Raises FILE_EXISTS if it is a file."""

    async def move(self, source: Root, path: str, target: Root, to: str, cause: Cause) -> None:
        """Move or rename. Raises FILE_EXISTS; nothing is ever overwritten."""

    async def delete(self, root: Root, path: str, cause: Cause) -> None:
        """Move to the user's trash (where there is none: delete), after keeping a copy of files up to 100 MB."""

    async def take_in(self, root: Root, source: Path, cause: Cause) -> str:
        """Copy a file that the user chose into the root and return its path there; " (2)" is added if needed."""

    async def new_run_folder(self, root: Root, name: str) -> str:
        """Make `runs/<name>-<YYYYMMDD-HHMMSS>/` (then -2, -3) below a conversation's folder and return its path."""

    async def end_run_folder(self, root: Root, path: str, *, succeeded: bool) -> bool:
        """Delete `tmp/` after a success, and the folder if it is empty; tell whether files are left (PERM-075 ff.)."""

    async def forget(self, conversation: str) -> None:
        """Delete the history of a deleted conversation with everything kept in it (GEMOPEN-067)."""

    async def check_choice(self, folder: Path) -> Path:
        """Return the resolved folder if a chat may be held about it, and a gem may work in it by itself.

        Raises FOLDER_REFUSED (PERM-118 to PERM-125).
        """
