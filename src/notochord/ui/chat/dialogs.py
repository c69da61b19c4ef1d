"""The questions of the chat page: another name, deletion, where an export goes, which folder a chat is about."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.confirm import Confirm
from notochord.ui.kit.controls.labels import heading
from notochord.ui.kit.file_dialogs import ask_folder, ask_save_file
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.viewmodels.chat.values import Chat, ExportForm

LONGEST_TITLE = 200
LONGEST_FILE_NAME = 80
WIDTH = 380


class RenameDialog(QDialog):
    """Asks for another title; `open()` it, and it destroys itself afterwards."""

    def __init__(self, kit: Kit, parent: QWidget, title: str, on_rename: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._on_rename = on_rename
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        text, space = kit.text, kit.theme.space
        self.setWindowTitle(text("window.chat.rename"))
        column = QVBoxLayout(self)
        column.setContentsMargins(space.xl, space.xl, space.xl, space.l)
        column.setSpacing(space.m)
        column.addWidget(heading(kit, text("window.chat.rename")))
        self.field = QLineEdit(title)
        self.field.setMaxLength(LONGEST_TITLE)
        self.field.setAccessibleName(text("window.chat.title"))
        self.field.setFixedWidth(WIDTH)
        self.field.returnPressed.connect(self._accept)
        column.addWidget(self.field)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(Button(kit, text("window.kit.cancel"), self.reject))
        self.act: Button = Button(kit, text("window.chat.rename"), self._accept, primary=True)
        self.field.textChanged.connect(lambda now: self.act.setEnabled(bool(now.strip())))
        self.act.setEnabled(bool(title.strip()))
        row.addWidget(self.act)
        column.addLayout(row)
        self.field.selectAll()
        self.field.setFocus()

    def _accept(self) -> None:
        if self.field.text().strip():
            self._on_rename(self.field.text())
            self.accept()


def title_of(kit: Kit, chat: Chat) -> str:
    """Return a chat's title; one without any has a name all the same."""
    return chat.title or kit.text("window.chat.untitled")


def ask_to_delete(kit: Kit, parent: QWidget, chat: Chat, on_confirm: Callable[[], None]) -> Confirm:
    """Ask before a chat is deleted, naming what goes with it: its folder too, unless the user chose that."""
    key = "delete_own" if chat.own_folder else "delete_chosen"
    dialog = Confirm(
        kit,
        parent,
        kit.text("window.chat.delete_question", title=title_of(kit, chat)),
        kit.text(f"window.chat.{key}", folder=str(chat.folder)),
        kit.text("window.chat.delete"),
        on_confirm,
    )
    dialog.open()
    return dialog


def ask_for_export(
    kit: Kit, parent: QWidget, chat: Chat, form: ExportForm, on_choose: Callable[[Path], None]
) -> QFileDialog:
    """Let the user choose the file that a chat is written to, in the documents at first."""
    ending = ".md" if form is ExportForm.MARKDOWN else ".json"
    title, name = kit.text(f"window.chat.export_{form.value}"), file_name(title_of(kit, chat)) + ending
    return ask_save_file(kit, parent, title, name, on_choose, Purpose.EXPORT, ending=ending[1:])


def ask_for_folder(kit: Kit, parent: QWidget, on_choose: Callable[[Path], None]) -> QFileDialog:
    """Let the user choose the folder that a chat is about."""
    return ask_folder(kit, parent, kit.text("window.chat.folder_choose"), on_choose, Purpose.CHAT_FOLDER)


def file_name(title: str) -> str:
    """Return a name that every system takes as a file's (known-faults L1 and L2)."""
    kept = "".join(" " if letter in '<>:"/\\|?*' or not letter.isprintable() else letter for letter in title)
    name = " ".join(kept.split())[:LONGEST_FILE_NAME].strip(" .")
    reserved = name.upper().split(".")[0] in _RESERVED
    return f"{name} chat".strip() if reserved or not name else name


_RESERVED = frozenset({"CON", "PRN", "AUX", "NUL", *(f"COM{n}" for n in range(10)), *(f"LPT{n}" for n in range(10))})
