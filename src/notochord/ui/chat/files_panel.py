"""The panel of a conversation's files: list, preview, versions, and the ways to open them."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.chat.attachments_row import empty
from notochord.ui.chat.cards.card import Glyph
from notochord.ui.chat.file_preview import make_preview
from notochord.ui.chat.side_panel import Scroll, SidePanel
from notochord.ui.chat.wording import Moments, file_size
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.buttons import Button, Ground, IconButton
from notochord.ui.kit.controls.confirm import Confirm
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.controls.menus import MenuButton, MenuEntry
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.unseen import shown
from notochord.viewmodels.chat.files import FilesModel, Preview
from notochord.viewmodels.chat.values import EntryType, FileEntry

MOST_LISTED = 500


class FilesPanel(SidePanel):
    """The list of a folder, or one file of it; the keyboard stays in the panel, whatever changes in it."""

    def __init__(self, kit: Kit, model: FilesModel, close: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.chat.files"), close, parent)
        self.model = model
        self._moments = Moments(kit, model.clock)
        self.open_folder = IconButton(kit, "external", kit.text("window.chat.open_folder"), self._open_folder)
        self.tools.addWidget(self.open_folder)
        self.list = Scroll(kit, kit.text("window.chat.files"))
        self.column.addWidget(self.list, 1)
        self.lines: dict[str, QWidget] = {}
        self._come_from = ""
        self._preview: QWidget | None = None
        bind_list(self, model.entries, self._show_list)
        bind(self, model.problem, lambda _: self._show_list())
        bind(self, model.loaded, lambda _: self._show_list())
        bind(self, model.preview, self._show_preview)
        bind_list(self, model.versions, lambda: self._show_preview(model.preview.value))

    def go_back(self) -> None:
        """Go from a file to the list, from a folder to the one around it."""
        shown = self.model.preview.value
        self._come_from = (shown.path if shown else self.model.path.value).rpartition("/")[2]
        if shown is not None:
            self.model.close_preview()
        else:
            self.kit.runner.run(self, "folder above", self.model.up())

    # -- the list

    def _show_list(self) -> None:
        column, text, keyboard = self.list.content, self.kit.text, self._keyboard()
        empty(column)
        self.lines = {}
        problem = self.model.problem.value
        if isinstance(problem, NotochordError):
            column.addWidget(Label(self.kit, self.kit.failure(problem), colour="danger"))
        elif not self.model.entries and self.model.loaded.value:
            column.addWidget(remark(self.kit, text("window.chat.files_none")))
        for entry in self.model.entries[:MOST_LISTED]:
            self.lines[entry.name] = self._line(entry)
            column.addWidget(self.lines[entry.name])
        if len(self.model.entries) > MOST_LISTED:
            more = text("window.chat.more_files", count=len(self.model.entries) - MOST_LISTED)
            column.addWidget(remark(self.kit, more))
        column.addStretch(1)
        self._show_head()
        self._keep_keyboard(keyboard)

    def _keyboard(self) -> QWidget | None:
        """Return what has the keyboard, if that is in this panel."""
        focused = QApplication.focusWidget()
        return focused if focused is not None and self.isAncestorOf(focused) else None

    def _keep_keyboard(self, before: QWidget | None) -> None:
        """Keep the keyboard in the panel when what had it is out of sight now: in the list where it was before."""
        if before is None or before.isVisible():
            return
        if self.model.preview.value is not None:
            self.back.setFocus()
            return
        lines = self.lines
        first = next(iter(lines.values()), self.close_button)
        lines.get(before.accessibleName(), lines.get(self._come_from, first)).setFocus()

    def _line(self, entry: FileEntry) -> QWidget:
        kit = self.kit
        button = Ground(entry.name, lambda: self._choose(entry.name))
        button.setMinimumHeight(kit.theme.line_height() + kit.theme.space.m)
        row = QHBoxLayout(button)
        row.setContentsMargins(kit.theme.space.s, 0, kit.theme.space.s, 0)
        row.setSpacing(kit.theme.space.s)
        folder = entry.type is EntryType.FOLDER
        size = Label(kit, "" if folder else file_size(kit, entry.size), size="small", colour="text_soft")
        size.setWordWrap(False)
        name = ElidedLabel(kit, shown(entry.name, code=True), middle=True)
        for widget, stretch in ((Glyph(kit, "folder" if folder else "file"), 0), (name, 1), (size, 0)):
            widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(widget, stretch)
        button.setAccessibleDescription(size.text())
        return button

    def _choose(self, name: str) -> None:
        self.kit.runner.run(self, "choose a file", self.model.choose(name))

    def _open_folder(self) -> None:
        self.model.open_folder()

    def _show_head(self) -> None:
        preview, path = self.model.preview.value, self.model.path.value
        shown = preview.path if preview else path
        self.heading.setText(shown.rpartition("/")[2] or self.kit.text("window.chat.files"))
        self.back.setVisible(bool(shown))

    # -- one file

    def _show_preview(self, preview: Preview | None) -> None:
        keyboard = self._keyboard()
        if self._preview is not None:
            self._preview.hide()
            self._preview.deleteLater()
            self._preview = None
        self.list.setVisible(preview is None)
        self._show_head()
        if preview is None:
            self._keep_keyboard(keyboard)
            return
        self._preview = QWidget()
        column = QVBoxLayout(self._preview)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self.kit.theme.space.s)
        column.addLayout(self._file_row(preview))
        if preview.version:
            column.addLayout(self._version_row(preview))
        column.addWidget(make_preview(self.kit, preview), 1)
        self.column.addWidget(self._preview, 1)
        self._keep_keyboard(keyboard)

    def _file_row(self, preview: Preview) -> QHBoxLayout:
        row, text = QHBoxLayout(), self.kit.text
        size = file_size(self.kit, preview.size) if preview.size >= 0 else ""
        row.addWidget(Label(self.kit, size, size="small", colour="text_soft"))
        row.addStretch(1)
        if self.model.versions:
            row.addWidget(MenuButton(self.kit, text("window.chat.versions"), self._versions))
        opens = self.model.may_open(preview.path)
        key = "window.chat.open_file" if opens else "window.chat.show_in_folder"
        row.addWidget(Button(self.kit, text(key), lambda: self._open(preview.path)))
        return row

    def _version_row(self, preview: Preview) -> QHBoxLayout:
        row, text = QHBoxLayout(), self.kit.text
        row.addWidget(Label(self.kit, text("window.chat.version_shown"), colour="warning"), 1)
        row.addWidget(Button(self.kit, text("window.chat.restore"), lambda: self._ask_to_restore(preview)))
        return row

    def _versions(self) -> list[MenuEntry]:
        shown = self.model.preview.value
        if shown is None:
            return []
        now = MenuEntry(
            self.kit.text("window.chat.version_now"), lambda: self._show(shown.path), checked=not shown.version
        )
        return [now] + [
            MenuEntry(
                self.kit.text(
                    "window.chat.version_agent" if version.by_agent else "window.chat.version_user",
                    time=self._moments.write(version.at),
                ),
                partial(self._show_version, version.id),
                checked=shown.version == version.id,
            )
            for version in self.model.versions
        ]

    def _show(self, path: str) -> None:
        self.kit.runner.run(self, "show a file", self.model.show(path))

    def _show_version(self, version: str) -> None:
        self.kit.runner.run(self, "show a version", self.model.show_version(version))

    def _ask_to_restore(self, preview: Preview) -> None:
        def restore() -> None:
            self.kit.runner.run(self, "restore", self.model.restore(preview.version))

        text = self.kit.text
        question = text("window.chat.restore_question", name=preview.path)
        explanation = text("window.chat.restore_explanation")
        Confirm(self.kit, self, question, explanation, text("window.chat.restore"), restore, danger=False).open()

    def _open(self, path: str) -> None:
        self.model.open_file(path)
