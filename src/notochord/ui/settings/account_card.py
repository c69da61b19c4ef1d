"""An account in the list: what it is, where it may be sent, who may use it, whether it works, what can be done."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QDateTime
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.dates import moment_dated
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.numbers import whole
from notochord.ui.settings.parts import Card
from notochord.viewmodels.settings.account_rows import AccountRow, Method
from notochord.viewmodels.settings.provider_rows import CheckPhase

STATES = {"needed": "warning", "again": "danger", "ready": "success"}


@dataclass(frozen=True, slots=True)
class AccountActions:
    """What the buttons of an account do, given its id."""

    test: Callable[[str], None]
    sign_in: Callable[[str], None]
    cancel: Callable[[str], None]
    sign_out: Callable[[str], None]
    edit: Callable[[str], None]
    replace: Callable[[str], None]
    delete: Callable[[str], None]


class AccountCard(Card):
    """One account; `show_row` brings it up to date."""

    def __init__(self, kit: Kit, row: AccountRow, actions: AccountActions) -> None:
        super().__init__(kit)
        self._address = ""
        self.name = Label(kit, "", bold=True)
        self.state = Label(kit, "", size="small")
        self.facts = Label(kit, "", size="small", colour="text_soft")
        self.use = Label(kit, "", size="small", colour="text_soft")
        self.status = Label(kit, "", size="small", selectable=True)
        self.progress = QProgressBar()
        self.progress.setRange(0, 0)
        self.progress.setTextVisible(False)
        head = QHBoxLayout()
        head.setSpacing(kit.theme.space.m)
        head.addWidget(self.name, 1)
        head.addWidget(self.state)
        words = QVBoxLayout()
        words.setSpacing(kit.theme.space.xs)
        words.addLayout(head)
        words.addWidget(self.facts)
        words.addWidget(self.use)
        self.column.addLayout(words)
        self.address = ElidedLabel(kit, "", size="small", colour="text_soft", middle=True)
        self.copy = Button(kit, kit.text("window.settings.accounts.copy_address"), self.copy_address, icon_name="copy")
        self.by_hand = QWidget()
        line = QHBoxLayout(self.by_hand)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.address, 1)
        line.addWidget(self.copy)
        self.column.addWidget(self.status)
        self.column.addWidget(self.by_hand)
        self.column.addWidget(self.progress)
        self._bar(row.id, actions)
        self.show_row(row)

    def _bar(self, account: str, actions: AccountActions) -> None:
        names = ("sign_in", "cancel", "test", "edit", "replace", "sign_out", "delete")
        line = QHBoxLayout()
        line.setSpacing(self._kit.theme.space.s)
        self.buttons: dict[str, Button] = {}
        for name in names:
            act = partial(getattr(actions, name), account)
            text = self._kit.text("window.settings.cancel" if name == "cancel" else f"window.settings.accounts.{name}")
            self.buttons[name] = Button(self._kit, text, act, gives_way=True)
            if name == "delete":
                line.addStretch(1)
            line.addWidget(self.buttons[name])
        self.column.addLayout(line)

    def show_row(self, row: AccountRow) -> None:
        """Show the account as it is now."""
        is_oauth = row.method is Method.OAUTH
        self.name.setText(row.name)
        self._show_state(row, is_oauth=is_oauth)
        self.facts.setText(_facts(self._kit, row))
        self.use.setText("\n".join((_users(self._kit, row), _uses(self._kit, row))))
        busy = row.signing_in or row.check.phase is CheckPhase.RUNNING
        signed_in = is_oauth and row.sign_in == "ready"
        shown = {
            "sign_in": is_oauth and not signed_in and not row.signing_in,
            "cancel": busy,
            "test": row.can_test and not busy and (signed_in or not is_oauth),
            "edit": not row.provider,
            "replace": not row.provider and (not is_oauth or row.has_client_secret),
            "sign_out": signed_in,
            "delete": True,
        }
        again = is_oauth and row.sign_in == "again"
        text = self._kit.text
        self.buttons["sign_in"].setText(text(f"window.settings.accounts.sign_in{'.again' if again else ''}"))
        self.buttons["replace"].setText(text(f"window.settings.accounts.replace{'.client' if is_oauth else ''}"))
        for name, visible in shown.items():
            button = self.buttons[name]
            button.setVisible(visible)
            button.setAccessibleName(f"{button.text()} {row.name}")
        self._show_check(row)

    def copy_address(self) -> None:
        """Put the address at which the user signs in on the clipboard."""
        QGuiApplication.clipboard().setText(self._address)

    def _show_state(self, row: AccountRow, *, is_oauth: bool) -> None:
        self.state.setVisible(is_oauth)
        if is_oauth:
            self.state.setText(self._kit.text(f"window.settings.accounts.state.{row.sign_in}"))
            self.state.set_colour(STATES[row.sign_in])

    def _show_check(self, row: AccountRow) -> None:
        text, check = self._kit.text, row.check
        told, colour = "", "text_soft"
        if row.signing_in:
            told = text("window.settings.accounts.signing_in")
            if row.address:
                told = text("window.settings.accounts.open_yourself")
        elif check.phase is CheckPhase.RUNNING:
            told = text("window.settings.accounts.testing")
        elif check.phase is CheckPhase.WORKS:
            told, colour = text("window.settings.accounts.works"), "success"
        elif check.error is not None:
            told, colour = self._kit.failure(check.error), "danger"
        elif row.sign_in == "again":
            told, colour = text("window.settings.accounts.again"), "danger"
        self._address = row.address
        self.address.setText(row.address)
        self.by_hand.setVisible(row.signing_in and bool(row.address))
        self.status.setText(told)
        self.status.set_colour(colour)
        self.status.setVisible(bool(told))
        busy = row.signing_in or check.phase is CheckPhase.RUNNING
        self.progress.setVisible(busy)
        self.progress.setAccessibleName(told)


def _facts(kit: Kit, row: AccountRow) -> str:
    text = kit.text
    separator = text("window.settings.list.separator")
    kind = (
        text("window.settings.accounts.provider")
        if row.provider
        else row.service or text("window.settings.accounts.other")
    )
    method = text(f"window.settings.accounts.method.{row.method}")
    places = [host for host in row.hosts if f"http://{host}" not in row.hosts]  # said once where both ways are open
    hosts = text("window.settings.accounts.hosts", hosts=separator.join(places))
    paths = row.registration.paths
    sent = f"{hosts} ({separator.join(paths)})" if paths else hosts
    return " · ".join((kind, sent) if row.provider else (kind, method, sent))


def _users(kit: Kit, row: AccountRow) -> str:
    """Return who may use the account; by default nobody (CRED-016)."""
    text = kit.text
    if row.provider:
        return text("window.settings.accounts.users.models")
    separator = text("window.settings.list.separator")
    users = [*row.gems]
    if row.projects:
        users.append(text("window.settings.accounts.users.projects", count=row.projects))
    if not users:
        return text("window.settings.accounts.users.none")
    return text("window.settings.accounts.users", names=separator.join(users))


def _uses(kit: Kit, row: AccountRow) -> str:
    if not row.last_used:
        return kit.text("window.settings.accounts.unused")
    when = moment_dated(kit, QDateTime.fromMSecsSinceEpoch(row.last_used))
    uses = kit.text("window.settings.accounts.uses", count=row.uses, number=whole(kit, row.uses))
    return kit.text("window.settings.accounts.used", when=when, uses=uses)
