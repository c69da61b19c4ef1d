"""How often a gem's own code failed: where and how many times, to be copied for its developer (GEMUI-048, 049)."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from notochord.ui.gem.parts import Chapter, Fact, Group
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.shown import GemShown


class ProblemsChapter(Chapter):
    """The counts of the installed version."""

    def __init__(self, kit: Kit, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.gem.problems"), parent)
        self._model = model
        self._told: object = None
        self.copy = Button(kit, kit.text("window.gem.copy_problems"), self._copy, icon_name="copy")
        self.head.addWidget(self.copy)
        self._group = Group(kit, "", kit.text("window.gem.problems.remark"))
        self.column.addWidget(self._group)
        bind(self, model.shown, self._show)

    def _show(self, found: GemShown | None) -> None:
        if found is None or self._told == found.failures:
            return
        self._told = found.failures
        text = self.kit.text
        self.copy.setVisible(bool(found.failures))
        rows = [
            Fact(
                self.kit,
                "warning",
                text("window.gem.failed", place=one.place, count=one.count),
                text(f"window.gem.failure.{one.code}") if self._is_known(one.code) else one.code,
            )
            for one in found.failures
        ]
        self._group.fill(rows or [Fact(self.kit, "check", text("window.gem.no_problems"))])

    def _is_known(self, code: str) -> bool:
        return f"window.gem.failure.{code}" in self.kit.sentences.texts

    def _copy(self) -> None:
        if (found := self._model.shown.value) is not None:
            QGuiApplication.clipboard().setText(found.report)
