"""The accounts that a gem asks for: choose one that exists or make a new one, then save (GEMUI-023 to GEMUI-025)."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.gem.account_sheet import AccountSheet
from notochord.ui.gem.parts import Group
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.breakable import breakable
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kept_focus import keyboard_kept
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.keyed_rows import KeyedRows
from notochord.ui.settings.parts import Choice
from notochord.viewmodels.gem.accounts import AccountOption, AccountRow
from notochord.viewmodels.gem.model import GemModel


class AccountView(QWidget):
    """One account that is asked for. What is chosen holds once it is saved."""

    def __init__(self, kit: Kit, row: AccountRow, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model, self._slot, self._saved = kit, model, row.slot, row.chosen
        text, space = kit.text, kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(space.l, space.m, space.l, space.m)
        column.setSpacing(space.xs)
        column.addWidget(Label(kit, breakable(row.slot)))
        self.reason = Label(kit, "", size="small", colour="text_soft")
        column.addWidget(self.reason)
        line = QHBoxLayout()
        line.setSpacing(space.s)
        self.choice = Choice(text("window.gem.account_for", slot=row.slot))
        self.choice.activated.connect(lambda _: self._chosen())
        line.addWidget(self.choice, 1)
        self.new = Button(kit, text("window.gem.new_account"), self._create, icon_name="plus")
        self.new.setAccessibleName(text("window.gem.new_account_for", slot=row.slot))
        self.save = Button(kit, text("window.gem.save"), self._save)
        self.save.setAccessibleName(text("window.gem.save_for", slot=row.slot))
        line.addWidget(self.new)
        line.addWidget(self.save)
        column.addSpacing(space.xs)
        column.addLayout(line)
        self.hint = Label(kit, "", size="small", colour="warning")
        column.addWidget(self.hint)

    def show_row(self, row: AccountRow, options: tuple[AccountOption, ...]) -> None:
        """Show what is saved; what the user is choosing just now stays, as long as it is there."""
        picked, kept = self.choice.value, self._saved
        self._saved = row.chosen
        self.reason.setText(breakable(row.reason))
        self.choice.blockSignals(True)
        self.choice.forget()
        self.choice.offer_value(self._kit.text("window.gem.no_account"), "")
        for one in options:
            self.choice.offer_value(f"{one.name} · {self._listed(one.hosts)}", one.id)
        self.choice.blockSignals(False)
        undecided = picked is not None and picked != kept and self.choice.has(picked)
        self.choice.show_choice(picked if undecided else row.chosen)
        self._gone = row.gone
        self._chosen()

    def _chosen(self) -> None:
        chosen = self.choice.value or ""
        with keyboard_kept(self.save, self.choice):
            self.save.setEnabled(chosen != self._saved)
        option = next((one for one in self._model.accounts.options.value if one.id == chosen), None)
        hint = ""
        if option is not None and not option.ready:
            hint = "window.gem.account_signed_out"
        elif option is not None and not option.fits:
            hint = "window.gem.account_unfit"
        elif not chosen:
            hint = "window.gem.account_gone" if self._gone else "window.gem.account_missing"
        self.hint.setText(self._kit.text(hint) if hint else "")
        self.hint.setVisible(bool(hint))

    def _save(self) -> None:
        command = self._model.save_account(self._slot, self.choice.value or "")
        self._kit.runner.run(self, "save an account of a gem", command)

    def _create(self) -> None:
        self.ask_for_new()

    def ask_for_new(self) -> AccountSheet:
        """Show the form of a new account."""
        sheet = AccountSheet(self._kit, self._model, self._slot, self)
        sheet.open()
        return sheet

    def _listed(self, hosts: tuple[str, ...]) -> str:
        return self._kit.text("window.settings.list.separator").join(hosts)


class AccountsGroup(Group):
    """Not there for a gem that asks for none."""

    def __init__(self, kit: Kit, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.gem.accounts"), kit.text("window.gem.accounts.remark"), parent)
        self._model = model
        self.rows: KeyedRows[AccountRow, AccountView] = KeyedRows(
            model.accounts.rows,
            key=lambda row: row.slot,
            make=lambda row: AccountView(kit, row, model),
            show=lambda view, row: view.show_row(row, model.accounts.options.value),
            spacing=0,
            parent=self,
        )
        self.fill([self.rows])
        bind_list(self, model.accounts.rows, self._fit)
        bind(self, model.accounts.options, lambda _: self._offer())

    def _offer(self) -> None:
        for row in self._model.accounts.rows:
            if (view := self.rows.views.get(row.slot)) is not None:
                view.show_row(row, self._model.accounts.options.value)

    def _fit(self) -> None:
        self.setVisible(bool(self._model.accounts.rows))
