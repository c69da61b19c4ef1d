"""What a gem still needs from its user; not there while nothing is missing (GEMUI-016 to GEMUI-019)."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from notochord.ui.gem.parts import Chapter, Group
from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.row_button import RowButton
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.needs import Need, NeedKind

ICONS = {NeedKind.MODEL: "agent", NeedKind.ACCOUNT: "key", NeedKind.MAILBOX: "mail", NeedKind.KNOWLEDGE: "list"}


class SetupChapter(Chapter):
    """One row for each thing that is missing; `lead_to` brings the place where it is set into sight."""

    def __init__(
        self, kit: Kit, model: GemModel, lead_to: Callable[[Need], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(kit, kit.text("window.gem.setup"), parent)
        self._model, self._lead_to = model, lead_to
        self._group = Group(kit)
        self.column.addWidget(self._group)
        bind_list(self, model.needs, self._show)

    def _show(self) -> None:
        self.setVisible(bool(self._model.needs))
        self._group.fill([self._row(need) for need in self._model.needs])

    def _row(self, need: Need) -> RowButton:
        text = self.kit.text(f"window.gem.needs.{need.kind.value}", name=need.subject)
        why = self.kit.text(f"window.gem.needs.{need.kind.value}.why")
        return RowButton(self.kit, ICONS[need.kind], text, why, lambda: self._lead_to(need), colour="warning")
