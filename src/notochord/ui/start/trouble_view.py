"""Tells what keeps an organization from opening, and offers what can be done."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, heading, remark, title
from notochord.ui.kit.file_dialogs import ask_open_file
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.ui.settings.parts import Card, Choice
from notochord.ui.start.page import StartPage
from notochord.viewmodels.start.trouble import Remedy, Trouble

FIELD_WIDTH = 320


class TroubleView(StartPage):
    """`show_folder` opens the folder of the data in the system's file manager."""

    def __init__(
        self, kit: Kit, trouble: Trouble, show_folder: Callable[[Path], None], quit_program: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(kit, parent)
        self._kit, self.trouble, self._show_folder = kit, trouble, show_folder
        name = trouble.organization.name if trouble.organization else ""
        self.title: Label = title(kit, kit.text(f"window.start.trouble.{trouble.kind}", name=name))
        self.told: Label = Label(kit, kit.failure(trouble.error), selectable=True)
        self.advice: Label = remark(kit, kit.text(f"window.start.trouble.{trouble.kind}.advice"))
        for label in (self.title, self.told, self.advice):
            self.column.addWidget(label)
        self.remedies: dict[Remedy, Button] = {}
        self._add_actions()
        self.error: Label = Label(kit, "", colour="danger", selectable=True)
        self.error.hide()
        self.column.addWidget(self.error)
        self.others = self._switching()
        self.column.addWidget(self.others)
        self.new = self._creating()
        self.column.addWidget(self.new)
        self.column.addStretch(1)
        self.buttons.addStretch(1)
        self.quit = Button(kit, kit.text("window.start.quit"), quit_program)
        self.buttons.addWidget(self.quit)

    def showEvent(self, event: QShowEvent) -> None:
        """The first remedy has the keyboard."""
        super().showEvent(event)
        next(iter(self.remedies.values()), self.quit).setFocus()

    def begin(self) -> None:
        """Look for other organizations that could be opened."""
        self._run("look for other organizations", self.trouble.start())

    def choose_recovery_key(self) -> None:
        """Ask for the recovery key file."""
        text = self._kit.text("window.start.trouble.recovery_key")
        ask_open_file(self._kit, self, text, self.recover, Purpose.RECOVERY_KEY)

    def recover(self, file: Path) -> None:
        """Put the key from this file back and open."""
        self._run("recover", self.trouble.recover(file))

    def _add_actions(self) -> None:
        commands = {
            Remedy.RETRY: lambda: self._run("try again", self.trouble.retry()),
            Remedy.RECOVERY_KEY: self.choose_recovery_key,
            Remedy.SHOW_FOLDER: lambda: self._show_folder(self.trouble.folder),
        }
        row = QHBoxLayout()
        row.setSpacing(self._kit.theme.space.s)
        for number, remedy in enumerate(one for one in self.trouble.remedies if one in commands):
            text = self._kit.text(f"window.start.trouble.{remedy}")
            self.remedies[remedy] = Button(self._kit, text, commands[remedy], primary=number == 0)
            row.addWidget(self.remedies[remedy])
        row.addStretch(1)
        self.column.addLayout(row)

    def _switching(self) -> QWidget:
        kit, card = self._kit, Card(self._kit)
        card.column.addWidget(heading(kit, kit.text("window.start.trouble.other_organization")))
        self.choice = Choice(kit.text("window.start.trouble.other_organization"))
        self.switch = Button(kit, kit.text("window.start.trouble.open"), self._switch)
        card.column.addLayout(self._line(self.choice, self.switch))
        bind(self, self.trouble.others, lambda _: self._show_others(card))
        return card

    def _show_others(self, card: QWidget) -> None:
        self.choice.clear()
        for one in self.trouble.others.value:
            self.choice.addItem(one.name, one.id)
        card.setVisible(bool(self.trouble.others.value))

    def _creating(self) -> QWidget:
        kit, card = self._kit, Card(self._kit)
        card.column.addWidget(heading(kit, kit.text("window.start.trouble.new_organization")))
        card.column.addWidget(remark(kit, kit.text("window.start.trouble.new_organization.remark")))
        self.name = QLineEdit()
        self.name.setAccessibleName(kit.text("window.start.trouble.name"))
        self.name.setPlaceholderText(kit.text("window.start.trouble.name"))
        self.create_button = Button(kit, kit.text("window.start.trouble.create"), self._create)
        self.create_button.setEnabled(False)
        self.name.textChanged.connect(lambda text: self.create_button.setEnabled(bool(text.strip())))
        self.name.textEdited.connect(lambda _: self.error.hide())
        self.name.returnPressed.connect(self._create)
        card.column.addLayout(self._line(self.name, self.create_button))
        card.setVisible(Remedy.NEW_ORGANIZATION in self.trouble.remedies)
        return card

    def _line(self, field: QWidget, button: Button) -> QVBoxLayout:
        column, row = QVBoxLayout(), QHBoxLayout()
        row.setSpacing(self._kit.theme.space.s)
        field.setFixedWidth(FIELD_WIDTH)
        row.addWidget(field)
        row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        return column

    def _switch(self) -> None:
        self._run("open another organization", self.trouble.switch(str(self.choice.currentData())))

    def _create(self) -> None:
        if self.create_button.isEnabled():
            self._run("make an organization", self.trouble.create(self.name.text()))

    def _run(self, name: str, command: Coroutine[Any, Any, None]) -> None:
        self.error.hide()
        self._kit.runner.run(self, name, command, failed=self._failed)

    def _failed(self, error: NotochordError) -> None:
        self.error.setText(self._kit.failure(error))
        self.error.show()
