"""Settings › Accounts (CRED-002): what is kept, where it may be sent, who may use it, and what can be done with it."""

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import remark
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.account_card import AccountActions, AccountCard
from notochord.ui.settings.account_sheets import AccountSheet, EditAccountSheet, ReplaceSecretSheet
from notochord.ui.settings.keyed_rows import KeyedRows
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import Column
from notochord.ui.settings.sheet import Confirmation
from notochord.viewmodels.settings.account_rows import AccountRow
from notochord.viewmodels.settings.accounts import AccountsModel


class AccountsSection(Column):
    """The accounts under their title; `open_providers` leads to where a provider's key is entered (OPEN-007)."""

    def __init__(
        self, kit: Kit, model: AccountsModel, open_providers: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        text = kit.text
        kept = text("window.settings.accounts.remark" if model.encrypted else "window.settings.accounts.remark_plain")
        super().__init__(kit, text("window.settings.accounts.title"), kept, parent)
        self._kit, self._model = kit, model
        self._work: dict[str, Callable[[], None]] = {}
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.m)
        self.add = Button(kit, text("window.settings.accounts.add"), self._ask_for_account, primary=True)
        self.providers = Button(kit, text("window.settings.providers.title"), open_providers, icon_name="chevron-right")
        line = QHBoxLayout()
        line.setSpacing(kit.theme.space.s)
        line.addWidget(self.add)
        line.addWidget(self.providers)
        line.addStretch(1)
        column.addLayout(line)
        self.empty = remark(kit, text("window.settings.accounts.empty"))
        column.addWidget(self.empty)
        actions = self._actions()
        self.rows: KeyedRows[AccountRow, AccountCard] = KeyedRows(
            model.accounts,
            key=lambda row: row.id,
            make=lambda row: AccountCard(kit, row, actions),
            show=lambda view, row: view.show_row(row),
            spacing=kit.theme.space.m,
        )
        column.addWidget(self.rows)
        column.addStretch(1)
        self.column.addWidget(PaneView(kit, model.state, content, self._load), 1)
        bind_list(self, model.accounts, self._fit)

    def ask_to_delete(self, account: str) -> None:
        """Ask before the account and its secret are deleted, naming what stops working (CRED-021)."""
        row = self._row(account)
        text = self._kit.text
        Confirmation(
            self._kit,
            text("window.settings.accounts.delete.title", name=row.name),
            text("window.settings.accounts.delete.text"),
            self,
            accept_text=text("window.settings.delete.now"),
            consequences=consequences(self._kit, row),
            command=lambda: self._model.delete(account),
        ).open()

    def _actions(self) -> AccountActions:
        model = self._model
        return AccountActions(
            test=lambda account: self._run(account, "test an account", model.test(account)),
            sign_in=self._sign_in,
            cancel=lambda account: self._work.pop(account, _nothing)(),
            sign_out=lambda account: self._run(account, "sign out", model.sign_out(account)),
            edit=lambda account: EditAccountSheet(self._kit, model, self._row(account), self).open(),
            replace=lambda account: ReplaceSecretSheet(self._kit, model, self._row(account), self).open(),
            delete=self.ask_to_delete,
        )

    def _ask_for_account(self) -> None:
        AccountSheet(self._kit, self._model, self._added, self).open()

    def _added(self, account: str, signs_in: bool) -> None:
        if signs_in:
            self._sign_in(account)

    def _sign_in(self, account: str) -> None:
        self._run(account, "sign in", self._model.sign_in(account))

    def _run(self, account: str, name: str, command: Coroutine[Any, Any, None]) -> None:
        self._work[account] = self._kit.runner.run(self, name, command)

    def _row(self, account: str) -> AccountRow:
        return next(row for row in self._model.accounts if row.id == account)

    def _fit(self) -> None:
        self.empty.setVisible(not self._model.accounts)

    def _load(self) -> None:
        self._kit.runner.run(self, "load accounts", self._model.load())


def consequences(kit: Kit, row: AccountRow) -> tuple[str, ...]:
    """Return what stops working with an account, a line each."""
    text = kit.text
    if row.provider:
        return (text("window.settings.accounts.delete.provider", name=row.provider),)
    if not row.gems and not row.projects:
        return (text("window.settings.accounts.delete.unused"),)
    stopped = [text("window.settings.accounts.delete.gem", name=gem) for gem in row.gems]
    if row.projects:
        stopped.append(text("window.settings.accounts.delete.projects", count=row.projects))
    return (*stopped, text("window.settings.accounts.delete.gems"))


def _nothing() -> None:
    """Nothing is under way."""
