"""Settings › Organization: the open one with its key and data, and all organizations of this computer (ORG-017 ff.)."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.badges import Badge
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.file_dialogs import ask_save_file
from notochord.ui.kit.kept_focus import keyboard_kept
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.ui.settings.keyed_rows import KeyedRows
from notochord.ui.settings.organization_sheets import NameSheet, delete_sheet, switch_sheet
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import Column, Group
from notochord.viewmodels.settings.organizations import OrganizationRow, OrganizationsModel


class OrganizationView(QWidget):
    """A row of the list: name, where its key lies, and what can be done."""

    def __init__(
        self,
        kit: Kit,
        row: OrganizationRow,
        actions: Mapping[str, Callable[[str], None]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._kit = kit
        text, space = kit.text, kit.theme.space
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(space.s)
        words = QVBoxLayout()
        words.setSpacing(0)
        head = QHBoxLayout()
        head.setSpacing(space.s)
        self.name = ElidedLabel(kit, row.name, bold=True)
        self.current = Badge(kit, text("window.settings.organization.current"), "accent")
        head.addWidget(self.name)
        head.addWidget(self.current)
        self.unfinished = Badge(kit, text("window.settings.organization.unfinished"), "warning")
        head.addWidget(self.unfinished)
        head.addStretch(1)
        words.addLayout(head)
        self.facts = remark(kit, "", size="small")
        words.addWidget(self.facts)
        line.addLayout(words, 1)
        self.buttons = {
            name: Button(
                kit, text(f"window.settings.organization.{name}"), partial(actions[name], row.id), gives_way=True
            )
            for name in ("switch", "rename", "delete")
        }
        for button in self.buttons.values():
            line.addWidget(button)
        self.show_row(row)

    def show_row(self, row: OrganizationRow) -> None:
        """Show the organization as it is now."""
        text = self._kit.text
        self.name.setText(row.name)
        self.current.setVisible(row.current)
        self.unfinished.setVisible(row.unfinished)
        facts = [text(f"window.settings.organization.key.{row.key_place}.short")]
        if row.twin:
            facts.append(text("window.settings.organization.twin", id=row.id))
        self.facts.setText(" · ".join(facts))
        self.buttons["switch"].setVisible(not row.current)
        self.buttons["switch"].setText(text(f"window.settings.organization.{'resume' if row.unfinished else 'switch'}"))
        self.buttons["delete"].setVisible(not row.current)
        for button in self.buttons.values():
            button.setAccessibleName(f"{button.text()} {row.name}")


class OrganizationSection(Column):
    """The open organization above, all of them below."""

    def __init__(self, kit: Kit, model: OrganizationsModel, parent: QWidget | None = None) -> None:
        text = kit.text
        title, explanation = text("window.settings.organization.title"), text("window.settings.organization.explained")
        super().__init__(kit, title, explanation, parent)
        self._kit, self._model = kit, model
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.l)
        column.addWidget(self._open_one())
        column.addWidget(self._all())
        column.addStretch(1)
        self.column.addWidget(PaneView(kit, model.state, content, self._load), 1)
        bind(self, model.current, self._show_current)

    def _open_one(self) -> Group:
        kit, text = self._kit, self._kit.text
        group = Group(kit, text("window.settings.organization.this"))
        row = QHBoxLayout()
        row.setSpacing(kit.theme.space.s)
        self.name = QLineEdit()
        self.name.setAccessibleName(text("window.settings.organization.name"))
        self.name.returnPressed.connect(self._rename_this)
        self.name.textChanged.connect(lambda _: self._name_typed())
        self.save_name = Button(kit, text("window.settings.organization.save_name"), self._rename_this, gives_way=True)
        label = Label(kit, text("window.settings.organization.name"))
        label.setBuddy(self.name)
        row.addWidget(label)
        row.addWidget(self.name, 1)
        row.addWidget(self.save_name)
        group.add(row)
        self.encryption = Label(kit, "")
        self.encryption_text = remark(kit, "", size="small")
        self.save_key = Button(
            kit, text("window.settings.organization.save_key"), self._ask_key_file, icon_name="key", gives_way=True
        )
        group.add(self._with_button(self.encryption, self.encryption_text, self.save_key))
        self.key_told = Label(kit, "", size="small")
        self.key_told.hide()
        group.card.column.addWidget(self.key_told)
        place = Label(kit, text("window.settings.organization.place"))
        where = Label(kit, str(self._model.folder), colour="text_soft", size="small", selectable=True)
        self.open_folder = Button(
            kit, text("window.settings.organization.open_folder"), self._show_folder, gives_way=True
        )
        group.add(self._with_button(place, where, self.open_folder))
        return group

    def _with_button(self, words: Label, explanation: Label, button: Button) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self._kit.theme.space.l)
        column = QVBoxLayout()
        column.setSpacing(self._kit.theme.space.xs)
        column.addWidget(words)
        column.addWidget(explanation)
        row.addLayout(column, 1)
        row.addWidget(button)
        return row

    def _all(self) -> Group:
        kit, text = self._kit, self._kit.text
        group = Group(kit, text("window.settings.organization.all"), text("window.settings.organization.all.remark"))
        actions = {"switch": self._ask_to_switch, "rename": self._ask_name, "delete": self._ask_to_delete}
        self.rows: KeyedRows[OrganizationRow, OrganizationView] = KeyedRows(
            self._model.all,
            key=lambda row: row.id,
            make=lambda row: OrganizationView(kit, row, actions),
            show=lambda view, row: view.show_row(row),
            spacing=kit.theme.space.l,
        )
        group.add(self.rows)
        self.new = Button(kit, text("window.settings.organization.new"), self._ask_new, icon_name="plus")
        line = QHBoxLayout()
        line.addWidget(self.new)
        line.addStretch(1)
        group.add(line)
        return group

    def _show_current(self, row: OrganizationRow | None) -> None:
        if row is None:
            return
        text = self._kit.text
        self.name.setText(row.name)
        self.encryption.setText(text(f"window.settings.organization.key.{row.key_place}"))
        self.encryption_text.setText(text(f"window.settings.organization.key.{row.key_place}.remark"))
        self._name_typed()

    def _name_typed(self) -> None:
        row, typed = self._model.current.value, self.name.text().strip()
        with keyboard_kept(self.save_name, self.name):
            self.save_name.setEnabled(bool(row and typed and typed != row.name))

    def _row(self, organization: str) -> OrganizationRow:
        return next(row for row in self._model.all if row.id == organization)

    def _rename_this(self) -> None:
        row = self._model.current.value
        if row is not None and self.save_name.isEnabled():
            self._kit.runner.run(self, "rename", self._model.rename(row.id, self.name.text().strip()))

    def _ask_name(self, organization: str) -> None:
        row = self._row(organization)
        NameSheet(
            self._kit, "rename", row.name, lambda name: self._model.rename(organization, name), lambda _: None, self
        ).open()

    def _ask_new(self) -> None:
        NameSheet(self._kit, "new", "", self._model.create, self._made, self).open()

    def _made(self, made: OrganizationRow) -> None:
        """After creating, ask whether to switch at once (ORG-022)."""
        self._open_switch(made, new=True)

    def _ask_to_switch(self, organization: str) -> None:
        self._open_switch(self._row(organization), new=False)

    def _open_switch(self, row: OrganizationRow, *, new: bool) -> None:
        def ask(stopped: tuple[str, ...]) -> None:
            switch_sheet(self._kit, row, stopped, lambda: self._model.switch(row.id), self, new=new).open()

        self._kit.runner.run(self, "what switching stops", self._model.stopped_by_switching(), done=ask)

    def _ask_to_delete(self, organization: str) -> None:
        row = self._row(organization)
        delete_sheet(self._kit, row, lambda: self._model.delete(row.id, row.name), self).open()

    def _ask_key_file(self) -> None:
        text = self._kit.text
        name = self._model.recovery_file_name()
        pattern = text("window.settings.organization.key_files") + " (*.key)"
        ask_save_file(
            self._kit, self, text("window.settings.organization.save_key"), name, self.save_key_into,
            Purpose.RECOVERY_KEY, pattern=pattern, ending="key", replaces=False,
        )  # fmt: skip

    def save_key_into(self, file: Path) -> None:
        """Write the recovery key into this file, and tell how it went."""

        def told(text: str, colour: str) -> None:
            self.key_told.setText(text)
            self.key_told.set_colour(colour)
            self.key_told.show()

        def failed(error: NotochordError) -> None:
            told(self._kit.failure(error), "danger")

        saved = self._kit.text("window.settings.organization.key_saved", path=str(file))
        self._kit.runner.run(
            self, "save the recovery key", self._model.save_recovery_key(file),
            done=lambda _: told(saved, "success"), failed=failed,
        )  # fmt: skip

    def _show_folder(self) -> None:
        self._kit.runner.run(self, "open the folder", self._model.open_folder())

    def _load(self) -> None:
        self._kit.runner.run(self, "load organizations", self._model.load())
