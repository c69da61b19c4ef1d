"""Asks for files and folders with the system's own dialogs, without a nested event loop."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


def ask_open_file(parent: QWidget, title: str, pattern: str, chosen: Callable[[Path], None]) -> None:
    """Let the user choose a file that exists; `pattern` is such as "Models (*.gguf)"."""
    dialog = QFileDialog(parent, title, str(Path.home()), pattern)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _show(dialog, chosen)


def ask_save_file(parent: QWidget, title: str, name: str, pattern: str, chosen: Callable[[Path], None]) -> None:
    """Let the user say where a file called `name` is to be written."""
    dialog = QFileDialog(parent, title, str(Path.home()), pattern)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(name)
    _show(dialog, chosen)


def _show(dialog: QFileDialog, chosen: Callable[[Path], None]) -> None:
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    dialog.finished.connect(lambda _: dialog.deleteLater())
    dialog.open()
