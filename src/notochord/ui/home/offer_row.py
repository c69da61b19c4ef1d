"""A gem that came with the program, on Home: what it is for, and the button that installs it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.kit.brought import gem_name, gem_said
from notochord.ui.kit.controls.badges import LetterIcon
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.home.model import HomeModel, OfferedGem

ICON = 36


class OfferRow(QWidget):
    """One row; a failure is told by the window's notice."""

    def __init__(self, kit: Kit, model: HomeModel, offer: OfferedGem) -> None:
        super().__init__()
        self._kit, self._model, self._offer = kit, model, offer
        space, gem = kit.theme.space, offer.gem
        name = gem_name(kit, gem.id, gem.name)
        row = QHBoxLayout(self)
        row.setContentsMargins(space.l, space.m, space.l, space.m)
        row.setSpacing(space.m)
        row.addWidget(LetterIcon(kit, name, gem.id, ICON), 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(ElidedLabel(kit, name, bold=True))
        column.addWidget(Label(kit, gem_said(kit, gem.id, gem.description), colour="text_soft"))
        row.addLayout(column, 1)
        at_work = gem.id in model.installing.value
        text = kit.text("window.home.installing" if at_work else "window.home.install")
        self.button = Button(kit, text, self._install)
        self.button.setAccessibleName(kit.text("window.home.install_named", gem=name))
        self.button.setEnabled(not at_work)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)

    def _install(self) -> None:
        # Owned by the window: the row is made anew while its gem is being installed.
        self._kit.runner.run(self.window(), "install a gem", self._model.install(self._offer))
