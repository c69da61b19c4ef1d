"""Says which organization is being set up, and leads to another one; out of sight while there is no other."""

from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QWidget

from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.menus import MenuButton, MenuEntry
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.start.way_back import WayBack

WIDEST = 320
"""How wide the button may become before its text ends in \"…\", so that both names stay in sight."""


class WayBackView(QWidget):
    """One button for one organization, a menu for several."""

    def __init__(self, kit: Kit, name: str, way_back: WayBack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._way_back = kit, way_back
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(kit.theme.space.m)
        self.name = ElidedLabel(kit, kit.text("window.start.organization", name=name), colour="text_soft")
        self.back = Button(kit, "", self._go_back, icon_name="chevron-left", gives_way=True)
        self.back.setMaximumWidth(WIDEST)
        self.others = MenuButton(kit, kit.text("window.start.other_organization"), self.entries)
        row.addWidget(self.name, 1)
        row.addWidget(self.back)
        row.addWidget(self.others)
        bind(self, way_back.others, lambda _: self._show_others())

    def _show_others(self) -> None:
        others = self._way_back.others.value
        self.setVisible(bool(others))
        self.back.setVisible(len(others) == 1)
        self.others.setVisible(len(others) > 1)
        if others:
            self.back.setText(self._kit.text("window.start.back_to", name=others[0].name))

    def entries(self) -> list[MenuEntry]:
        """Return what the menu leads to."""
        return [MenuEntry(one.name, partial(self._go, one.id)) for one in self._way_back.others.value]

    def _go_back(self) -> None:
        self._go(self._way_back.others.value[0].id)

    def _go(self, organization: str) -> None:
        self._kit.runner.run(self, "go to another organization", self._way_back.go(organization))
