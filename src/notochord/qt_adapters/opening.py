"""Opens links, folders and files with the system's programs, as far as that is safe (architecture.md §3, "Files")."""

import os
import stat
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QUrl, QUrlQuery
from PySide6.QtGui import QDesktopServices

LONGEST_LINK = 8192
MAIL_FIELDS = frozenset({"to", "cc", "bcc", "subject", "body"})
"""What a mail link may fill in; some mail programs take "attach" and would send a file of the user's."""

SAFE_KINDS = frozenset({
    ".txt", ".md", ".csv", ".tsv", ".json", ".log", ".yaml", ".yml", ".rtf", ".pdf",
    ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp",
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff",
    ".mp3", ".wav", ".ogg", ".flac", ".m4a", ".mp4", ".webm", ".mov",
})  # fmt: skip
"""Kinds that are only shown or played. HTML, SVG, scripts, programs, links and documents with macros are not here."""


class Opened(StrEnum):
    """What became of a wish to open something."""

    OPENED = "opened"
    SHOWN_IN_FOLDER = "shown_in_folder"
    REFUSED = "refused"
    FAILED = "failed"


class DesktopOpening:
    """`open_url` is the system's way to open an address; it tells whether that worked."""

    def __init__(self, open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl) -> None:
        self._open_url = open_url

    def open_link(self, address: str) -> Opened:
        """Open a link with http, https or mailto; others, and those with a password or a file in them, are refused."""
        url = safe_link(address)
        return self._open(url) if url is not None else Opened.REFUSED

    def open_folder(self, folder: Path) -> Opened:
        """Show what is in a folder of this computer."""
        if not folder.is_dir() or _elsewhere(folder):
            return Opened.FAILED
        return self._open(QUrl.fromLocalFile(str(folder)))

    def open_file(self, file: Path) -> Opened:
        """Open a file if its kind is on the safe list; show its folder instead if not."""
        if not _is_plain_file(file) or _elsewhere(file):
            return Opened.FAILED
        if is_safe(file):
            return self._open(QUrl.fromLocalFile(str(file)))
        done = self.open_folder(file.parent)
        return Opened.SHOWN_IN_FOLDER if done is Opened.OPENED else done

    def _open(self, url: QUrl) -> Opened:
        return Opened.OPENED if self._open_url(url) else Opened.FAILED


def safe_link(address: str) -> QUrl | None:
    """Return the address if it may be opened from a text that a model or a stranger wrote."""
    if len(address) > LONGEST_LINK or any(letter.isspace() or not letter.isprintable() for letter in address):
        return None
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    if not url.isValid():
        return None
    if url.scheme() in ("http", "https"):
        return url if url.host() and not url.userInfo() else None
    if url.scheme() == "mailto":
        fields = {name.casefold() for name, _ in QUrlQuery(url).queryItems()}
        return url if fields <= MAIL_FIELDS and not url.host() else None
    return None


def is_safe(file: Path) -> bool:
    """Tell whether a file's kind is on the safe list, and nothing about the file says that it is a program."""
    name = file.name
    if name != name.strip(" .") or ":" in name or file.suffix.casefold() not in SAFE_KINDS:
        return False
    return os.name == "nt" or not file.stat().st_mode & (stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def _is_plain_file(file: Path) -> bool:
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except OSError:
        return False


def _elsewhere(path: Path) -> bool:
    """Tell whether the path leads to another computer, which opening it would greet with the user's name."""
    return str(path).startswith(("//", "\\\\"))
