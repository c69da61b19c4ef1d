"""Asks for files and folders with the system's own dialogs, without a nested event loop."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

Chosen = Callable[[Path], None]


def ask_folder(parent: QWidget, title: str, chosen: Chosen) -> QFileDialog:
    """Let the user choose a folder that exists."""
    dialog = QFileDialog(parent, title, str(Path.home()))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return _opened(dialog, chosen)


def ask_open_file(parent: QWidget, title: str, chosen: Chosen) -> QFileDialog:
    """Let the user choose a file that exists."""
    dialog = QFileDialog(parent, title, str(Path.home()))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return _opened(dialog, chosen)


def ask_save_file(parent: QWidget, title: str, name: str, chosen: Chosen) -> QFileDialog:
    """Let the user say where a new file is to be written; `name` is proposed. Nothing is ever overwritten."""
    dialog = QFileDialog(parent, title, str(Path.home()))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
    dialog.selectFile(name)
    return _opened(dialog, chosen)


def _opened(dialog: QFileDialog, chosen: Chosen) -> QFileDialog:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    dialog.open()
    return dialog
