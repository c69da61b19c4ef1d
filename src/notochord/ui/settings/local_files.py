"""The model files of this computer: the catalogue with sizes and limits, fetching, the user's own files, deletion."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.file_dialogs import ask_open_file
from notochord.ui.kit.kept_focus import keyboard_kept
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.ui.settings.keyed_rows import KeyedRows
from notochord.ui.settings.parts import Group
from notochord.ui.settings.provider_card import FileActions, FileCard
from notochord.ui.settings.removal import consequences
from notochord.ui.settings.sheet import Confirmation
from notochord.viewmodels.settings.provider_rows import Affected, FileRow
from notochord.viewmodels.settings.providers import ProvidersModel


class LocalFiles(QWidget):
    """A group with a row for each file and a button for the user's own."""

    def __init__(self, kit: Kit, model: ProvidersModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._model = model
        self._fetching: dict[str, Callable[[], None]] = {}
        self._cancel_copy: Callable[[], None] = lambda: None
        text = kit.text
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        group = Group(kit, text("window.settings.files.title"), text("window.settings.files.remark"))
        outer.addWidget(group)
        actions = FileActions(self._fetch, self._cancel, self._use, self._stop_using, self._delete)
        self.rows: KeyedRows[FileRow, FileCard] = KeyedRows(
            model.files,
            key=lambda row: row.name,
            make=lambda row: FileCard(kit, row, actions),
            show=lambda card, row: card.show_row(row),
            spacing=kit.theme.space.l,
        )
        group.card.column.addWidget(self.rows)
        group.card.column.addLayout(self._own_file())
        bind(self, model.copying, self._show_copying)

    def _own_file(self) -> QVBoxLayout:
        kit, text = self._kit, self._kit.text
        column = QVBoxLayout()
        column.setSpacing(kit.theme.space.s)
        line = QHBoxLayout()
        self.add = Button(kit, text("window.settings.files.own"), self._ask_file, icon_name="plus", gives_way=True)
        self.cancel_copy = Button(kit, text("window.settings.cancel"), lambda: self._cancel_copy())
        self.cancel_copy.setAccessibleName(text("window.settings.files.copying.cancel"))
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setAccessibleName(text("window.settings.files.copying"))
        line.addWidget(self.add)
        line.addWidget(self.progress, 1)
        line.addWidget(self.cancel_copy)
        line.addStretch(0)
        column.addLayout(line)
        self.error: Label = Label(kit, "", size="small", colour="danger", selectable=True)
        self.error.hide()
        column.addWidget(self.error)
        column.addWidget(remark(kit, text("window.settings.files.own.remark")))
        return column

    def _show_copying(self, share: float | None) -> None:
        self.progress.setVisible(share is not None)
        with keyboard_kept(self.add, self.cancel_copy):
            self.cancel_copy.setVisible(share is not None)
            self.add.setEnabled(share is None)
        self.progress.setValue(int((share or 0) * 100))

    def _fetch(self, name: str) -> None:
        called = self._kit.text("window.settings.files.provider")
        self._fetching[name] = self._kit.runner.run(self, "fetch a model", self._model.fetch_file(name, called))

    def _cancel(self, name: str) -> None:
        if (cancel := self._fetching.pop(name, None)) is not None:
            cancel()

    def _use(self, name: str) -> None:
        called = self._kit.text("window.settings.files.provider")
        self._kit.runner.run(self, "use a model file", self._model.use_file(name, called))

    def _stop_using(self, name: str) -> None:
        def ask(affected: Affected) -> None:
            if not (affected.roles or affected.agents):
                self._kit.runner.run(self, "stop using a model file", self._model.stop_using_file(name))
                return
            self._confirm("stop", name, affected, lambda: self._model.stop_using_file(name))

        self._kit.runner.run(self, "what it affects", self._model.affected_by_file(name), done=ask)

    def _delete(self, name: str) -> None:
        def ask(affected: Affected) -> None:
            self._confirm("delete", name, affected, lambda: self._model.remove_file(name))

        self._kit.runner.run(self, "what it affects", self._model.affected_by_file(name), done=ask)

    def _confirm(
        self, what: str, name: str, affected: Affected, command: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        text = self._kit.text
        Confirmation(
            self._kit,
            text(f"window.settings.files.{what}.title", name=name),
            text(f"window.settings.files.{what}.text", name=name),
            self,
            accept_text=text(f"window.settings.files.{what}.now"),
            consequences=consequences(self._kit, Affected(roles=affected.roles, agents=affected.agents)),
            command=command,
        ).open()

    def _ask_file(self) -> None:
        self.error.hide()
        text = self._kit.text
        pattern = text("window.settings.files.pattern") + " (*.gguf)"
        ask_open_file(
            self._kit, self, text("window.settings.files.own"), self.take_in, Purpose.MODEL_FILE, pattern=pattern
        )

    def take_in(self, file: Path) -> None:
        """Copy a file of the user to the others, and use it."""

        def failed(error: NotochordError) -> None:
            self.error.setText(self._kit.failure(error))
            self.error.show()

        self._cancel_copy = self._kit.runner.run(
            self, "take in a model file", self._model.add_file(file), done=self._use, failed=failed
        )
