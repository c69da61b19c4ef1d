"""Plan mode, on or off."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.kit import Kit


class PlanSwitch(Button):
    """A button that stays pressed while plan mode is on: the agent then only reads, and proposes a plan."""

    def __init__(self, kit: Kit, on_switch: Callable[[bool], None], parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.chat.plan_mode"), None, parent, icon_name="plan")
        self.setCheckable(True)
        self.setFlat(True)
        self.setToolTip(kit.text("window.chat.plan_mode_tip"))
        self.setAccessibleDescription(kit.text("window.chat.plan_mode_tip"))
        self.clicked.connect(on_switch)

    def show_on(self, on: bool) -> None:
        """Show whether plan mode is on, without telling."""
        self.setChecked(on)
