"""The small windows of the organizations: a name to give, and the question before the program restarts into another."""

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtWidgets import QLineEdit, QWidget

from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.sheet import Confirmation, Sheet, form_field
from notochord.viewmodels.settings.organizations import OrganizationRow

Command = Coroutine[Any, Any, Any]


class NameSheet(Sheet):
    """Asks for the name of a new organization, or for another name; `what` is "new" or "rename"."""

    def __init__(
        self, kit: Kit, what: str, name: str, command: Callable[[str], Command], done: Callable[[Any], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        text = kit.text
        super().__init__(
            kit, text(f"window.settings.organization.{what}.title", name=name),
            text(f"window.settings.organization.{what}.text"), parent,
            accept_text=text(f"window.settings.organization.{what}.accept"),
        )  # fmt: skip
        self._command, self._done = command, done
        self.name = QLineEdit(name)
        self.name.selectAll()
        self.name.textChanged.connect(lambda _: self._typed())
        self.body.addLayout(form_field(kit, text("window.settings.organization.name"), self.name))
        self._typed()

    def submit(self) -> None:
        """Give the name."""
        self.work("name an organization", self._command(self.name.text().strip()), self._named)

    def _named(self, result: Any) -> None:
        self.accept()
        self._done(result)

    def _typed(self) -> None:
        self.accept_button.setEnabled(bool(self.name.text().strip()))


class SwitchSheet(Sheet):
    """Asks once before the program restarts, naming what is stopped (ORG-022, ORG-030, OPEN-103)."""

    def __init__(
        self, kit: Kit, text: str, explanation: str, stopped: tuple[str, ...], command: Callable[[], Command],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            kit, text, explanation, parent, accept_text=kit.text("window.settings.organization.switch.accept")
        )
        self._command = command
        if stopped:
            self.body.addWidget(Label(kit, kit.text("window.settings.organization.stopped"), colour="warning"))
            for title in stopped:
                self.body.addWidget(Label(kit, "•  " + title))

    def submit(self) -> None:
        """Switch."""
        self.work("switch", self._command(), lambda _: self.accept())


def switch_sheet(
    kit: Kit, row: OrganizationRow, stopped: tuple[str, ...], command: Callable[[], Command],
    parent: QWidget | None = None, *, new: bool,
) -> SwitchSheet:  # fmt: skip
    """Return the question for this organization; `new` is for one that was just made."""
    key = "window.settings.organization.made" if new else "window.settings.organization.switch"
    return SwitchSheet(
        kit, kit.text(f"{key}.title", name=row.name), kit.text(f"{key}.text", name=row.name), stopped, command, parent
    )


def delete_sheet(
    kit: Kit, row: OrganizationRow, command: Callable[[], Command], parent: QWidget | None = None
) -> Confirmation:
    """Return the question before an organization is destroyed; its name has to be typed (ORG-034, ORG-035)."""
    text = kit.text
    return Confirmation(
        kit,
        text("window.settings.organization.delete.title", name=row.name),
        text("window.settings.organization.delete.text"),
        parent,
        accept_text=text("window.settings.delete.now"),
        consequences=tuple(text(f"window.settings.organization.delete.{what}") for what in ("data", "key", "kept")),
        typed=row.name,
        typed_label=text("window.settings.organization.delete.type", name=row.name),
        command=command,
    )
