"""A gem in the list of the store: what it is for, who made it, how it stands, and what can be done with it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.home.gem_tile import Tile
from notochord.ui.kit.controls.badges import Badge, LetterIcon
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.store.actions import INSTALLED, UPDATE, Actions
from notochord.viewmodels.store.model import StoreModel
from notochord.viewmodels.store.rows import StoreRow

ICON = 36
TONES = {INSTALLED: "neutral", UPDATE: "accent"}


class GemCard(Tile):
    """Pressed as a whole it leads to the gem's introduction; its buttons do what they say."""

    def __init__(self, kit: Kit, model: StoreModel, gem: StoreRow, parent: QWidget | None = None) -> None:
        super().__init__(kit, lambda: model.open_gem(gem.id), parent)
        self._model, self.gem = model, gem
        space = kit.theme.space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.l, space.m, space.l, space.m)
        row.setSpacing(space.m)
        row.addWidget(LetterIcon(kit, gem.name, gem.id, ICON), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        marks = self._head(words)
        words.addWidget(ElidedLabel(kit, gem.description, colour="text_soft"))
        self.failure = Label(kit, "", size="small", colour="danger")
        self.failure.hide()
        words.addWidget(self.failure)
        row.addLayout(words, 1)
        self.actions_row = Actions(kit, model)
        row.addWidget(self.actions_row, 0, Qt.AlignmentFlag.AlignVCenter)
        for inner in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if inner is not self.actions_row:
                inner.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        made_by = kit.text("window.store.made_by", version=gem.version, publisher=gem.publisher)
        self.setAccessibleName(", ".join([gem.name, made_by, *marks]))
        self.setAccessibleDescription(gem.description)
        self.setToolTip(gem.description)
        self.show_work()

    def show_work(self) -> None:
        """Show how far an installation is, or why it failed."""
        self.actions_row.show_row(self.gem)
        error = self._model.failures.value.get(self.gem.id)
        self.failure.setVisible(error is not None)
        self.failure.setText(self._kit.failure(error) if error is not None else "")

    def _head(self, words: QVBoxLayout) -> list[str]:
        kit, gem = self._kit, self.gem
        line = QHBoxLayout()
        line.setSpacing(kit.theme.space.s)
        line.addWidget(ElidedLabel(kit, gem.name, bold=True))
        made_by = kit.text("window.store.made_by", version=gem.version, publisher=gem.publisher)
        line.addWidget(ElidedLabel(kit, made_by, size="small", colour="text_soft"))
        marks = [kit.text(f"window.store.standing.{gem.standing}")] if gem.standing in TONES else []
        for mark in marks:
            line.addWidget(Badge(kit, mark, TONES[gem.standing]))
        line.addStretch(1)
        words.addLayout(line)
        return marks
