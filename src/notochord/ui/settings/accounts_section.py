"""Settings › Accounts (CRED-002): what is kept, where it may be sent, and deleting it."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.keyed_rows import KeyedRows
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import Card, Column
from notochord.ui.settings.sheet import Confirmation
from notochord.viewmodels.settings.accounts import AccountRow, AccountsModel


class AccountView(QWidget):
    """An account: its name, its websites, and the button that deletes it."""

    def __init__(self, kit: Kit, row: AccountRow, section: "AccountsSection", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        words = QVBoxLayout()
        words.setSpacing(kit.theme.space.xs)
        self.name = Label(kit, "", bold=True)
        self.facts = Label(kit, "", size="small", colour="text_soft")
        words.addWidget(self.name)
        words.addWidget(self.facts)
        line.addLayout(words, 1)
        self.delete = Button(kit, kit.text("window.settings.accounts.delete"), lambda: section.ask_to_delete(row.id))
        line.addWidget(self.delete)

    def show_row(self, row: AccountRow) -> None:
        """Show the account as it is now."""
        text = self._kit.text
        self.name.setText(row.name)
        hosts = text("window.settings.accounts.hosts", hosts=text("window.settings.list.separator").join(row.hosts))
        kind = text("window.settings.accounts.provider") if row.provider else text("window.settings.accounts.other")
        self.facts.setText(f"{kind} · {hosts}")
        self.delete.setAccessibleName(f"{self.delete.text()} {row.name}")


class AccountsSection(Column):
    """The accounts under their title; `open_providers` leads to where a provider's key is entered (OPEN-007)."""

    def __init__(
        self, kit: Kit, model: AccountsModel, open_providers: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        text = kit.text
        super().__init__(kit, text("window.settings.accounts.title"), text("window.settings.accounts.remark"), parent)
        self._kit, self._model = kit, model
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.m)
        self.card = Card(kit)
        self.rows: KeyedRows[AccountRow, AccountView] = KeyedRows(
            model.accounts,
            key=lambda row: row.id,
            make=lambda row: AccountView(kit, row, self),
            show=lambda view, row: view.show_row(row),
            spacing=kit.theme.space.l,
        )
        self.card.column.addWidget(self.rows)
        column.addWidget(self.card)
        self.empty = remark(kit, text("window.settings.accounts.empty"))
        column.addWidget(self.empty)
        self.providers = Button(kit, text("window.settings.providers.title"), open_providers, icon_name="chevron-right")
        line = QHBoxLayout()
        line.addWidget(self.providers)
        line.addStretch(1)
        column.addLayout(line)
        column.addStretch(1)
        self.column.addWidget(PaneView(kit, model.state, content, self._load), 1)
        bind_list(self, model.accounts, self._fit)

    def ask_to_delete(self, account: str) -> None:
        """Ask before the account and its secret are deleted, naming what stops working."""
        row = next(row for row in self._model.accounts if row.id == account)
        text = self._kit.text
        lost = "window.settings.accounts.delete.provider" if row.provider else "window.settings.accounts.delete.gems"
        Confirmation(
            self._kit,
            text("window.settings.accounts.delete.title", name=row.name),
            text("window.settings.accounts.delete.text"),
            self,
            accept_text=text("window.settings.delete.now"),
            consequences=(text(lost, name=row.provider),),
            command=lambda: self._model.delete(account),
        ).open()

    def _fit(self) -> None:
        self.card.setVisible(bool(self._model.accounts))
        self.empty.setVisible(not self._model.accounts)

    def _load(self) -> None:
        self._kit.runner.run(self, "load accounts", self._model.load())
