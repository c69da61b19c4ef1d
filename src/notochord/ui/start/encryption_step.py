"""Step 2: whether what is kept on this computer is encrypted, told plainly, and the recovery key."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, heading, remark
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.parts import Card
from notochord.viewmodels.start.setup import Setup

POINTS = ("protects", "not_protects", "risk")


class EncryptionStep(QWidget):
    """`on_save` asks where the recovery key file is to be written."""

    def __init__(self, kit: Kit, setup: Setup, on_save: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._setup = kit, setup
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.m)
        column.addWidget(heading(kit, kit.text("window.start.encrypt.question")))
        self.once: Label = remark(kit, kit.text("window.start.encrypt.once"))
        column.addWidget(self.once)
        self.encrypt = QRadioButton(kit.text("window.start.encrypt.yes"))
        self.plain = QRadioButton(kit.text("window.start.encrypt.no"))
        self._group = QButtonGroup(self)
        for choice in (self.encrypt, self.plain):
            self._group.addButton(choice)
        self.save = Button(kit, kit.text("window.start.recovery.save"), on_save, icon_name="key")
        self.saved: Label = Label(kit, "")
        column.addWidget(self._encrypted())
        column.addWidget(self._not_encrypted())
        column.addStretch(1)
        self.encrypt.toggled.connect(self._chosen)
        kit.theme.changed.connect(self._take_font)
        self._take_font()
        bind(self, setup.encrypt, self._show_choice)
        bind(self, setup.decided, self._show_decided)
        bind(self, setup.keychain, self._show_keychain)
        bind(self, setup.recovery_file, self._show_saved)

    def _take_font(self) -> None:
        for choice in (self.encrypt, self.plain):
            choice.setFont(self._kit.theme.font("body", bold=True))

    def _encrypted(self) -> QWidget:
        kit, card = self._kit, Card(self._kit)
        card.column.addWidget(self.encrypt)
        self.no_keychain: Label = Label(kit, kit.text("window.start.encrypt.no_keychain"), colour="warning")
        card.column.addWidget(self.no_keychain)
        card.column.addWidget(Label(kit, kit.text("window.start.encrypt.what")))
        for point in POINTS:
            card.column.addWidget(Label(kit, kit.text(f"window.start.encrypt.{point}.title"), bold=True))
            card.column.addWidget(remark(kit, kit.text(f"window.start.encrypt.{point}")))
        self.recovery = QWidget()
        row = QHBoxLayout(self.recovery)
        row.setContentsMargins(0, kit.theme.space.s, 0, 0)
        row.setSpacing(kit.theme.space.m)
        row.addWidget(self.save)
        row.addWidget(self.saved, 1)
        card.column.addWidget(self.recovery)
        return card

    def _not_encrypted(self) -> QWidget:
        card = Card(self._kit)
        card.column.addWidget(self.plain)
        card.column.addWidget(remark(self._kit, self._kit.text("window.start.encrypt.no.what")))
        return card

    def _chosen(self, encrypt: bool) -> None:
        self._kit.runner.run(self, "choose encryption", self._setup.choose_encryption(encrypt))

    def _show_choice(self, encrypt: bool) -> None:
        chosen = self.encrypt if encrypt else self.plain
        if not chosen.isChecked():
            chosen.setChecked(True)
        self.recovery.setVisible(encrypt)

    def _show_decided(self, decided: bool) -> None:
        for choice in (self.encrypt, self.plain):
            choice.setEnabled(not decided and (choice is self.plain or self._setup.keychain.value is None))
        self.once.setText(self._kit.text("window.start.encrypt.decided" if decided else "window.start.encrypt.once"))
        self._show_saved(self._setup.recovery_file.value)

    def _show_keychain(self, error: NotochordError | None) -> None:
        self.no_keychain.setVisible(error is not None)
        self._show_decided(self._setup.decided.value)

    def _show_saved(self, file: Path | None) -> None:
        text = self._kit.text
        self.saved.set_colour("success" if file else "text_soft")
        missing = "advised" if self._setup.decided.value else "needed"
        self.saved.setText(
            text("window.start.recovery.saved", name=file.name) if file else text(f"window.start.recovery.{missing}")
        )
