"""Opens links, folders and files with the system's programs, as far as that is safe (architecture.md §3, "Files")."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl, QUrlQuery
from PySide6.QtGui import QDesktopServices

from notochord.services.files.ports import may_be_opened

LONGEST_LINK = 8192
MAIL_FIELDS = frozenset({"to", "cc", "bcc", "subject", "body"})
"""What a mail link may fill in; some mail programs take "attach" and would send a file of the user's."""


class DesktopOpening:
    """Implements `services.files.api.Opening`, and opens links.

    `open_url` is the system's way to open an address; it tells whether that worked, and so does each method.
    """

    def __init__(self, open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl) -> None:
        self._open_url = open_url

    def open_link(self, address: str) -> bool:
        """Open a link with http, https or mailto; others, and those with a password or a file in them, are refused."""
        url = safe_link(address)
        return url is not None and self._open_url(url)

    def show_folder(self, path: Path) -> bool:
        """Show what is in a folder of this computer."""
        if not path.is_dir() or _elsewhere(path):
            return False
        return self._open_url(QUrl.fromLocalFile(str(path)))

    def open_file(self, path: Path) -> bool:
        """Open a file if its kind is only shown or played; show its folder instead if not."""
        if not _is_plain_file(path) or _elsewhere(path):
            return False
        return self._open_url(QUrl.fromLocalFile(str(path))) if is_safe(path) else self.show_folder(path.parent)


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
    """Tell whether a file's name allows it, and nothing about the file says that it is a program."""
    if not may_be_opened(file.name):
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
