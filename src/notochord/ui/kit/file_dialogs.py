"""Asks for files and folders with the system's own dialogs, without a nested event loop."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose

Chosen = Callable[[Path], None]


def ask_folder(kit: Kit, parent: QWidget, title: str, chosen: Chosen, purpose: Purpose) -> QFileDialog:
    """Let the user choose a folder that exists; the next time begins beside it."""
    dialog = _made(kit, parent, title, purpose)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    return _opened(dialog)


def ask_open_file(
    kit: Kit, parent: QWidget, title: str, chosen: Chosen, purpose: Purpose, *, pattern: str = ""
) -> QFileDialog:
    """Let the user choose a file that exists; `pattern` is such as "Models (*.gguf)"."""
    dialog = _made(kit, parent, title, purpose, pattern)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    return _opened(dialog)


def ask_open_files(
    kit: Kit, parent: QWidget, title: str, chosen: Callable[[list[Path]], None], purpose: Purpose
) -> QFileDialog:
    """Let the user choose one file or several."""
    dialog = _made(kit, parent, title, purpose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.filesSelected.connect(lambda paths: chosen([Path(path) for path in paths]))
    return _opened(dialog)


def ask_save_file(
    kit: Kit, parent: QWidget, title: str, name: str, chosen: Chosen, purpose: Purpose, *,
    pattern: str = "", ending: str = "", replaces: bool = True,
) -> QFileDialog:  # fmt: skip
    """Let the user say where a file is to be written; `name` is proposed, `ending` is put on a name without one.

    `replaces`: a file that is there may be written over, which is asked first; otherwise whoever writes refuses it.
    """
    dialog = _made(kit, parent, title, purpose, pattern)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite, not replaces)
    if ending:
        dialog.setDefaultSuffix(ending)
    dialog.selectFile(name)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    return _opened(dialog)


def _made(kit: Kit, parent: QWidget, title: str, purpose: Purpose, pattern: str = "") -> QFileDialog:
    dialog = QFileDialog(parent, title, str(kit.folders.of(purpose)), pattern)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    # Qt's translations know these two by texts that it no longer uses.
    dialog.setLabelText(QFileDialog.DialogLabel.LookIn, kit.text("window.kit.file.look_in"))
    dialog.setLabelText(QFileDialog.DialogLabel.FileType, kit.text("window.kit.file.type"))

    def remember(paths: list[str]) -> None:
        if paths:
            kit.folders.remember(purpose, Path(paths[0]).parent)

    dialog.filesSelected.connect(remember)
    return dialog


def _opened(dialog: QFileDialog) -> QFileDialog:
    dialog.open()
    return dialog
