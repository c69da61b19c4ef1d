"""Opens the files of conversations, as `services.files.api.Opening` wants it."""

from pathlib import Path

from notochord.qt_adapters.opening import DesktopOpening, Opened


class FileOpening:
    """Implements `services.files.api.Opening`."""

    def __init__(self) -> None:
        self._opening = DesktopOpening()

    def open_file(self, path: Path) -> bool:
        return self._opening.open_file(path) in (Opened.OPENED, Opened.SHOWN_IN_FOLDER)

    def show_folder(self, path: Path) -> bool:
        return self._opening.open_folder(path) is Opened.OPENED
