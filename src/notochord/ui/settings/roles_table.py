"""The table of roles, in the settings and in the first-run set-up (SETUP-036)."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.keyed_rows import KeyedRows
from notochord.ui.settings.model_choice import ModelChoice
from notochord.ui.settings.narrow import stand_in
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import CONTROL_WIDTH, Group
from notochord.ui.settings.removal import consequences, role_name
from notochord.ui.settings.sheet import Confirmation
from notochord.viewmodels.settings.choices import ModelOption
from notochord.viewmodels.settings.provider_rows import Affected
from notochord.viewmodels.settings.roles import (
    LONGEST_DESCRIPTION,
    LONGEST_NAME,
    PendingRole,
    RoleHint,
    RoleRow,
    RolesModel,
)

LEAST_NAME, WIDEST_NAME = 90, 180
"""Pixels of the field for the name of a role."""


class RoleView(QWidget):
    """A role: its name and the line that the AI reads at the left, its model at the right."""

    def __init__(self, kit: Kit, row: RoleRow, model: RolesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model, self._name = kit, model, row.name
        self._line_text = row.line
        space = kit.theme.space
        outer = self._outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(space.l)
        words = QVBoxLayout()
        words.setSpacing(space.xs)
        words.addWidget(Label(kit, role_name(kit, row.name), bold=True))
        self.line: Label | QLineEdit = self._described(row)
        self.delete: IconButton | None = None
        described = QHBoxLayout()
        described.addWidget(self.line, 1)
        if not row.built_in:
            called = kit.text("window.settings.roles.delete", name=row.name)
            self.delete = IconButton(kit, "delete", called, self._ask_to_remove)
            described.addWidget(self.delete)
        words.addLayout(described)
        self.hint = Label(kit, "", size="small", colour="warning")
        words.addWidget(self.hint)
        outer.addLayout(words, 1)
        accessible = kit.text("window.settings.roles.model_of", name=role_name(kit, row.name))
        self.choice = ModelChoice(kit, accessible, kit.text("window.settings.roles.none"))
        self.choice.setFixedWidth(CONTROL_WIDTH)
        self.choice.activated.connect(lambda _: self._assign())
        outer.addWidget(self.choice, 0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand as there is room."""
        super().resizeEvent(event)
        space = self._kit.theme.space
        stand_in(self._outer, self.choice, self.width(), beside=space.l, below=space.s)

    def show_row(self, row: RoleRow, options: tuple[ModelOption, ...]) -> None:
        """Show the role as it is now; a description that is being typed is left alone."""
        self._line_text = row.line
        if isinstance(self.line, Label) or not self.line.hasFocus():
            self.line.setText(row.line)
        self.choice.offer(options)
        self.choice.show_value(row.model)
        self.hint.setText(self._kit.text(f"window.settings.roles.hint.{row.hint}") if row.hint else "")
        self.hint.setVisible(row.hint is not RoleHint.NONE)

    def _described(self, row: RoleRow) -> Label | QLineEdit:
        if row.built_in:
            return Label(self._kit, row.line, size="small", colour="text_soft")
        field = QLineEdit(row.line)
        field.setAccessibleName(self._kit.text("window.settings.roles.line_of", name=row.name))
        field.editingFinished.connect(self._describe)
        return field

    def _assign(self) -> None:
        command = self._model.assign(self._name, self.choice.value)
        self._kit.runner.run(self, "assign a role", command)

    def _describe(self) -> None:
        assert isinstance(self.line, QLineEdit)
        field, before = self.line, self._line_text
        if field.text() == before:
            return
        if not field.text().strip():
            field.setText(before)  # a description is required (MODEL-022)
            return
        self._kit.runner.run(self, "describe a role", self._model.describe(self._name, field.text()))

    def _ask_to_remove(self) -> None:
        def ask(affected: Affected) -> None:
            text = self._kit.text
            Confirmation(
                self._kit,
                text("window.settings.roles.delete.title", name=self._name),
                text("window.settings.roles.delete.text"),
                self,
                accept_text=text("window.settings.delete.now"),
                consequences=consequences(self._kit, affected),
                command=lambda: self._model.remove(self._name),
            ).open()

        self._kit.runner.run(self, "what a role's removal affects", self._model.affected(self._name), done=ask)


class RolesTable(QWidget):
    """The roles, and below them the form for a role of one's own. Whoever shows it starts the model."""

    def __init__(self, kit: Kit, model: RolesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model = kit, model
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.m)
        self.no_models = Label(kit, kit.text("window.settings.roles.no_models"), colour="warning")
        column.addWidget(self.no_models)
        group = Group(kit, "")
        self.rows: KeyedRows[RoleRow, RoleView] = KeyedRows(
            model.roles,
            key=lambda row: row.name,
            make=lambda row: RoleView(kit, row, model),
            show=lambda view, row: view.show_row(row, model.options.value),
            spacing=kit.theme.space.l,
        )
        group.card.column.addWidget(self.rows)
        column.addWidget(group)
        self._own_role(column)
        column.addStretch(1)
        outer.addWidget(PaneView(kit, model.state, content, self._load))
        bind(self, model.options, self._show_options)
        bind(self, model.pending, self._show_pending)

    def _own_role(self, column: QVBoxLayout) -> None:
        kit, text = self._kit, self._kit.text
        group = Group(kit, text("window.settings.roles.own"), text("window.settings.roles.own.remark"))
        line = QHBoxLayout()
        line.setSpacing(kit.theme.space.s)
        self.error = Label(kit, "", size="small", colour="danger")
        self.name, self.line = QLineEdit(), QLineEdit()
        for field, key in ((self.name, "name"), (self.line, "line")):
            field.setPlaceholderText(text(f"window.settings.roles.{key}"))
            field.setAccessibleName(text(f"window.settings.roles.{key}"))
            field.textChanged.connect(lambda _: self._typed())
            field.textEdited.connect(lambda _: self.error.hide())
            field.returnPressed.connect(self._begin)
        self.name.setMaxLength(LONGEST_NAME)
        self.line.setMaxLength(LONGEST_DESCRIPTION)
        self.name.setMinimumWidth(LEAST_NAME)
        self.name.setMaximumWidth(WIDEST_NAME)
        self.plus = IconButton(kit, "plus", text("window.settings.roles.add"), self._begin)
        line.addWidget(self.name, 1)
        line.addWidget(self.line, 2)
        line.addWidget(self.plus)
        group.card.column.addLayout(line)
        self.waiting = QWidget()
        row = QHBoxLayout(self.waiting)
        row.setContentsMargins(0, 0, 0, 0)
        self.waiting_text = Label(kit, "")
        self.waiting_choice = ModelChoice(kit, "", text("window.settings.roles.choose"))
        self.waiting_text.setBuddy(self.waiting_choice)
        self.waiting_choice.setMaximumWidth(CONTROL_WIDTH)
        self.waiting_choice.activated.connect(lambda _: self._complete())
        self.give_up = Button(kit, text("window.settings.cancel"), self._give_up)
        row.addWidget(self.waiting_text, 1)
        row.addWidget(self.waiting_choice, 1)
        row.addWidget(self.give_up)
        group.card.column.addWidget(self.waiting)
        self.error.hide()
        group.card.column.addWidget(self.error)
        column.addWidget(group)
        self._typed()

    def _show_options(self, options: tuple[ModelOption, ...]) -> None:
        self.no_models.setVisible(not options)
        self.waiting_choice.offer(options)
        for row in self._model.roles:
            if (view := self.rows.views.get(row.name)) is not None:
                view.show_row(row, options)

    def _show_pending(self, pending: PendingRole | None) -> None:
        if pending is None:
            if self.window().focusWidget() in (self.waiting_choice, self.give_up):
                self.name.setFocus()  # where the next role begins; Qt would go on to whatever comes after
            self.waiting.hide()
            self.error.hide()
            return
        self.waiting.show()
        told = self._kit.text("window.settings.roles.waiting", name=pending.name)
        self.waiting_text.setText(told)
        self.waiting_choice.setAccessibleName(told)
        self.waiting_choice.show_value("")
        self.name.clear()
        self.line.clear()
        self.waiting_choice.setFocus()

    def _typed(self) -> None:
        self.plus.setEnabled(bool(self.name.text().strip() and self.line.text().strip()))

    def _begin(self) -> None:
        if self.plus.isEnabled():
            self.error.hide()
            command = self._model.begin(self.name.text(), self.line.text())
            self._kit.runner.run(self, "begin a role", command, failed=self._failed)

    def _complete(self) -> None:
        if chosen := self.waiting_choice.value:
            self._kit.runner.run(self, "complete a role", self._model.complete(chosen), failed=self._failed)

    def _give_up(self) -> None:
        self._kit.runner.run(self, "give up a role", self._model.give_up())

    def _load(self) -> None:
        self._kit.runner.run(self, "load roles", self._model.load())

    def _failed(self, error: NotochordError) -> None:
        self.error.setText(self._kit.failure(error))
        self.error.show()
