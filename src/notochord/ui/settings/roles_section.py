"""Settings › AI Settings › Roles (MODEL-007)."""

from PySide6.QtWidgets import QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.settings.parts import Column
from notochord.ui.settings.roles_table import RolesTable
from notochord.viewmodels.settings.roles import RolesModel


class RolesSection(Column):
    """The table of roles under its title."""

    def __init__(self, kit: Kit, model: RolesModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.settings.roles.title"), kit.text("window.settings.roles.remark"), parent)
        self.table = RolesTable(kit, model)
        self.column.addWidget(self.table, 1)
