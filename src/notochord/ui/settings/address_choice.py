"""A choice of where something comes from or goes through, one of which is an address that the user writes."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kept_focus import keyboard_kept
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.parts import Choice, Group, Row

Change = Callable[[Any, str], Coroutine[Any, Any, None]]


class AddressChoice:
    """Puts a choice into a group, the address below it, and what is wrong with the address below that.

    `key` begins the texts: `<key>.use` names the choice, `<key>.<value>` each value, `<key>.address` the field. What is
    no address is in force as soon as it is chosen, an address once it is saved. `into_view` scrolls to the field.
    """

    def __init__(
        self, kit: Kit, group: Group, key: str, *,
        by_address: Any, example: str, change: Change, into_view: Callable[[QWidget], None],
    ) -> None:  # fmt: skip
        self._kit, self._group, self._key, self._into_view = kit, group, key, into_view
        self._by_address, self._change = by_address, change
        self._in_force: str | None = None
        self.choice = Choice()
        for use in type(by_address):
            self.choice.offer_value(kit.text(f"{key}.{use}"), use)
        self.choice.activated.connect(lambda _: self._chosen())
        group.add(Row(kit, kit.text(f"{key}.use"), self.choice))
        self.row = QWidget()
        line = QHBoxLayout(self.row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(kit.theme.space.s)
        self.address = QLineEdit()
        self.address.setPlaceholderText(example)
        self.address.setAccessibleName(kit.text(f"{key}.address"))
        self.address.returnPressed.connect(self._save)
        self.save = Button(kit, kit.text("window.settings.save"), self._save)
        line.addWidget(self.address, 1)
        line.addWidget(self.save)
        group.card.column.addWidget(self.row)
        self.error = Label(kit, "", size="small", colour="danger", selectable=True)
        self.error.hide()
        self.address.textEdited.connect(lambda _: self.error.hide())
        self.address.textChanged.connect(lambda _: self._show_unsaved())
        group.card.column.addWidget(self.error)

    def show(self, use: Any, address: str) -> None:
        """Show what is in force."""
        self._in_force = address if use is self._by_address else None
        self.choice.show_choice(use)
        self.address.setText(address)
        self._show_unsaved()
        self.row.setVisible(use is self._by_address)
        self.error.hide()

    def _show_unsaved(self) -> None:
        """Save can be pressed while what stands in the field is not what is in force."""
        with keyboard_kept(self.save, self.address):
            self.save.setEnabled(self.address.text().strip() != self._in_force)

    def fail(self, error: NotochordError) -> None:
        """Tell why the address cannot be used."""
        self.error.setText(self._kit.failure(error))
        self.error.show()
        QTimer.singleShot(0, self.error, partial(self._into_view, self.error))

    def _chosen(self) -> None:
        use = self.choice.value
        if use is self._by_address:
            self.row.show()
            self.address.setFocus()
            QTimer.singleShot(0, self.row, partial(self._into_view, self.row))  # once it has its place
            return
        self._kit.runner.run(self._group, f"choose {self._key}", self._change(use, ""))

    def _save(self) -> None:
        if not self.save.isEnabled():
            return
        command = self._change(self._by_address, self.address.text())
        self._kit.runner.run(
            self._group, f"save {self._key}", command, done=lambda _: self.error.hide(), failed=self.fail
        )  # fmt: skip
