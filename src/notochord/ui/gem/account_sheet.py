"""The form of a new account for a gem: a secret, how it is sent, and the only websites it is sent to."""

import re

from PySide6.QtWidgets import QLineEdit, QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.settings.parts import Choice
from notochord.ui.settings.sheet import Sheet, form_field
from notochord.viewmodels.gem.accounts import NewAccount
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.values import Placement, Secret

_BETWEEN = re.compile(r"[\s,;，；、]+")


class AccountSheet(Sheet):
    """Keeps the account and lets the gem use it; the gem itself never sees the secret."""

    def __init__(self, kit: Kit, model: GemModel, slot: str, parent: QWidget | None = None) -> None:
        text = kit.text
        super().__init__(
            kit, text("window.gem.new_account.title"), text("window.gem.new_account.text"), parent,
            accept_text=text("window.gem.save"),
        )  # fmt: skip
        self._model, self._slot = model, slot
        self.name = QLineEdit(slot)
        self.placement = Choice(text("window.gem.new_account.placement"))
        for placement in Placement:
            self.placement.offer_value(text(f"window.gem.placement.{placement.value}"), placement)
        self.placement.show_choice(Placement.BEARER)
        self.placement.activated.connect(lambda _: self._fit())
        self.detail = QLineEdit()
        self.secret = QLineEdit()
        self.secret.setEchoMode(QLineEdit.EchoMode.Password)
        self.hosts = QLineEdit(text("window.settings.list.separator").join(model.accounts.hosts))
        self.body.addLayout(form_field(kit, text("window.gem.new_account.name"), self.name))
        self.body.addLayout(form_field(kit, text("window.gem.new_account.placement"), self.placement))
        self._detail = QWidget()
        field = form_field(kit, text("window.gem.new_account.detail"), self.detail)
        field.setContentsMargins(0, 0, 0, 0)
        self._detail.setLayout(field)
        self.body.addWidget(self._detail)
        self.body.addLayout(form_field(kit, text("window.gem.new_account.secret"), self.secret))
        self.body.addLayout(
            form_field(kit, text("window.gem.new_account.hosts"), self.hosts, text("window.gem.new_account.hosts.why"))
        )
        for edit in (self.name, self.detail, self.secret, self.hosts):
            edit.textChanged.connect(lambda _: self._fit())
        self._fit()

    def submit(self) -> None:
        """Keep it."""
        new = NewAccount(
            name=self.name.text().strip(),
            placement=self.placement.value,
            secret=Secret(self.secret.text()),
            hosts=tuple(filter(None, _BETWEEN.split(self.hosts.text()))),
            field=self.detail.text().strip() if self._wants_detail() else "",
        )
        self.work("keep an account", self._model.create_account(self._slot, new), lambda _: self._done())

    def _done(self) -> None:
        self.secret.clear()
        self.accept()

    def _wants_detail(self) -> bool:
        return self.placement.value is not Placement.BEARER

    def _fit(self) -> None:
        self._detail.setVisible(self._wants_detail())
        filled = [self.name, self.secret, self.hosts, *([self.detail] if self._wants_detail() else [])]
        self.accept_button.setEnabled(all(edit.text().strip() for edit in filled))
