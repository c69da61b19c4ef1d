"""The folder that a gem's SOPs work in when they start by themselves (PERM-114 to PERM-117)."""

from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.gem.parts import Group
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.file_dialogs import ask_folder
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.shown import GemShown


class FolderGroup(Group):
    """The chosen folder, and choosing another one or none; not there for a gem whose SOPs are all called."""

    def __init__(self, kit: Kit, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.gem.folder"), kit.text("window.gem.folder.remark"), parent)
        self._model = model
        self.path = ElidedLabel(kit, "", middle=True)
        self.choose = Button(kit, kit.text("window.gem.folder.choose"), self._ask)
        self.take_back = Button(kit, kit.text("window.gem.folder.take_back"), lambda: self._take(None))
        self.lost = Label(kit, kit.text("window.gem.folder.lost"), size="small", colour="warning")
        for button in (self.choose, self.take_back):
            button.setAccessibleDescription(kit.text("window.gem.folder"))
        self.fill([self._row()])
        bind(self, model.shown, self._show)
        bind(self, model.folder_lost, self.lost.setVisible)

    def _row(self) -> QWidget:
        space, row = self._kit.theme.space, QWidget()
        column = QVBoxLayout(row)
        column.setContentsMargins(space.l, space.m, space.l, space.m)
        column.setSpacing(space.xs)
        line = QHBoxLayout()
        line.setSpacing(space.m)
        line.addWidget(self.path, 1)
        line.addWidget(self.choose)
        line.addWidget(self.take_back)
        column.addLayout(line)
        column.addWidget(self.lost)
        return row

    def _show(self, found: GemShown | None) -> None:
        self.setVisible(found is not None and found.works_alone)
        folder = found.working_folder if found is not None else ""
        if not folder and self.take_back.hasFocus():
            self.choose.setFocus()
        self.path.setText(folder or self._kit.text("window.gem.folder.none"))
        self.path.set_colour("text" if folder else "text_soft")
        self.choose.setText(self._kit.text("window.gem.folder.change" if folder else "window.gem.folder.choose"))
        self.take_back.setVisible(bool(folder))

    def _ask(self) -> None:
        found = self._model.shown.value
        title = self._kit.text("window.gem.folder.title", gem=found.name if found is not None else "")
        ask_folder(self._kit, self, title, self._take, Purpose.GEM_FOLDER)

    def _take(self, folder: Path | None) -> None:
        self._kit.runner.run(self, "choose a working folder", self._model.choose_working_folder(folder))
