"""Step 1: the language, and the way in for those who bring their data along."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from notochord.core.sentences import CHINESE, ENGLISH
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, heading, remark
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.start.setup import Setup

NAMES = {ENGLISH: "English", CHINESE: "简体中文"}
"""Each language by its own name, as those look for it who read no other."""

CHOICE_WIDTH = 260


class LanguageChoice(QComboBox):
    """Opens its list on the arrow keys: a choice reopens the window, so that none is made in passing."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class LanguageStep(QWidget):
    """`on_data` asks for the folder of data that was copied from elsewhere."""

    def __init__(self, kit: Kit, setup: Setup, on_data: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._setup = kit, setup
        space = kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.m)
        label: Label = heading(kit, kit.text("window.start.language"))
        column.addWidget(label)
        self.choice = LanguageChoice()
        self.choice.setFixedWidth(CHOICE_WIDTH)
        self.choice.setAccessibleName(kit.text("window.start.language"))
        for code, name in NAMES.items():
            self.choice.addItem(name, code)
        self.choice.setCurrentIndex(max(0, self.choice.findData(setup.language)))
        self.choice.activated.connect(lambda _: self._chosen())
        label.setBuddy(self.choice)
        column.addWidget(self.choice)
        column.addWidget(remark(kit, kit.text("window.start.language.remark")))
        column.addSpacing(space.xxl)
        column.addWidget(heading(kit, kit.text("window.start.data")))
        column.addWidget(remark(kit, kit.text("window.start.data.remark")))
        self.data = Button(kit, kit.text("window.start.data.choose"), on_data, icon_name="folder")
        row = QHBoxLayout()
        row.addWidget(self.data)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)

    def _chosen(self) -> None:
        language = str(self.choice.currentData())
        self._kit.runner.run(self, "choose a language", self._setup.choose_language(language))
