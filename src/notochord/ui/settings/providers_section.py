"""Settings › AI Settings › Model providers (MODEL-001)."""

from PySide6.QtWidgets import QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.settings.parts import Column
from notochord.ui.settings.providers_table import ProvidersTable
from notochord.viewmodels.settings.providers import ProvidersModel


class ProvidersSection(Column):
    """The table of providers under its title."""

    def __init__(self, kit: Kit, model: ProvidersModel, parent: QWidget | None = None) -> None:
        super().__init__(
            kit, kit.text("window.settings.providers.title"), kit.text("window.settings.providers.remark"), parent
        )
        self.table = ProvidersTable(kit, model)
        self.column.addWidget(self.table, 1)
