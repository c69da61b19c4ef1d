"""In which folder a dialog for files begins: where it ended last for the same purpose, at first in the documents."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QStandardPaths


class Purpose(StrEnum):
    """What a file or folder is asked for; each remembers its own folder."""

    ATTACH = "attach"
    CHAT_FOLDER = "chat_folder"
    GEM_FOLDER = "gem_folder"
    EXPORT = "export"
    RECOVERY_KEY = "recovery_key"
    DATA = "data"
    MODEL_FILE = "model_file"
    PACKAGE = "package"


class LastFolders:
    """The folders of this session; `kept` is told all of them after each change, so that they outlast it."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}
        self.kept: Callable[[Mapping[str, str]], None] = _forgotten

    def load(self, folders: Mapping[str, str]) -> None:
        """Take over what was kept before; what was chosen since stays."""
        self._folders = {**folders, **self._folders}

    def forget(self) -> None:
        """Begin anew, as when another organization is opened."""
        self._folders, self.kept = {}, _forgotten

    def of(self, purpose: Purpose) -> Path:
        """Return the folder to begin in; one that is gone is not offered."""
        last = self._folders.get(purpose.value, "")
        try:
            return Path(last) if last and Path(last).is_dir() else documents()
        except OSError:
            return documents()

    def remember(self, purpose: Purpose, folder: Path) -> None:
        """Begin here the next time."""
        if self._folders.get(purpose.value) != str(folder):
            self._folders[purpose.value] = str(folder)
            self.kept(dict(self._folders))


def documents() -> Path:
    """Return the user's folder for documents, the home folder where there is none."""
    told = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(told) if told and Path(told).is_dir() else Path.home()


def _forgotten(_: Mapping[str, str]) -> None:
    """Where nothing keeps them, they end with the window."""
