"""An installed gem on Home: its name and what it is for, on demand its tools and what it may reach; its removal."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.core.codes import Code
from notochord.core.flat_text import flattened
from notochord.ui.kit.controls.badges import Badge, LetterIcon
from notochord.ui.kit.controls.buttons import IconButton
from notochord.ui.kit.controls.confirm import Confirm
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.menus import MenuEntry, MenuIconButton
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.home.model import GemRow

ICON = 36


class GemCard(QWidget):
    """One row; the arrow at its end opens what is below it, the menu beside it removes the gem by `remove`."""

    def __init__(self, kit: Kit, gem: GemRow, remove: Callable[[GemRow], None]) -> None:
        super().__init__()
        self._kit, self._gem, self._remove = kit, gem, remove
        space = kit.theme.space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.l, space.m, space.m, space.m)
        row.setSpacing(space.m)
        row.addWidget(LetterIcon(kit, gem.name, gem.id, ICON), 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addLayout(self._head(gem))
        column.addWidget(Label(kit, gem.description, colour="text_soft"))
        if gem.problem:
            column.addWidget(Label(kit, _problem(kit, gem), colour="danger"))
        self._below = self._details(gem)
        self._below.hide()
        column.addWidget(self._below)
        row.addLayout(column, 1)
        self.menu = MenuIconButton(kit, "more", kit.text("window.home.menu", gem=gem.name), self.entries)
        self._more = IconButton(kit, "chevron-down", kit.text("window.home.more", gem=gem.name), self._turn)
        buttons = QHBoxLayout()
        buttons.setSpacing(0)
        for button in (self.menu, self._more):
            buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(buttons)
        self._name = gem.name

    def open(self) -> None:
        """Show the tools."""
        self._show(True)

    def ask_to_remove(self) -> Confirm:
        """Ask, naming what is destroyed, then remove the gem (GEMUI-050 to GEMUI-052)."""
        text, name = self._kit.text, self._gem.name
        dialog = Confirm(
            self._kit, self.window(), text("window.home.remove.title", gem=name),
            text("window.home.remove.text", gem=name), text("window.home.remove.now"), lambda: self._remove(self._gem),
        )  # fmt: skip
        dialog.open()
        return dialog

    def _ask(self) -> None:
        self.ask_to_remove()

    def entries(self) -> Sequence[MenuEntry]:
        """Return what can be done with the gem."""
        return (MenuEntry(self._kit.text("window.home.remove"), self._ask, "delete"),)

    def _turn(self) -> None:
        self._show(self._below.isHidden())

    def _show(self, opened: bool) -> None:
        self._below.setVisible(opened)
        self._more.set_icon("chevron-up" if opened else "chevron-down")
        key = "window.home.less" if opened else "window.home.more"
        self._more.rename(self._kit.text(key, gem=self._name))

    def _head(self, gem: GemRow) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(self._kit.theme.space.s)
        head.addWidget(ElidedLabel(self._kit, gem.name, bold=True))
        head.addWidget(Label(self._kit, gem.version, size="small", colour="text_soft"))
        if gem.trust:
            tone = "warning" if gem.trust == "unsigned" else "neutral"
            head.addWidget(Badge(self._kit, self._kit.text(f"window.home.trust.{gem.trust}"), tone))
        if gem.problem:
            head.addWidget(Badge(self._kit, self._kit.text("window.home.stopped"), "danger"))
        head.addStretch(1)
        return head

    def _details(self, gem: GemRow) -> QWidget:
        kit, space = self._kit, self._kit.theme.space
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, space.s, 0, space.xs)
        column.setSpacing(space.xs)
        column.addWidget(Label(kit, kit.text("window.home.tools"), size="small", bold=True))
        for tool in gem.tools:
            column.addWidget(Label(kit, flattened(tool.name), size="small"))
            own = "" if tool.for_assistant else kit.text("window.home.own_tool")
            said = " ".join(part for part in (flattened(tool.description), own) if part)
            column.addWidget(Label(kit, said, size="small", colour="text_soft"))
        column.addSpacing(space.xs)
        column.addWidget(Label(kit, kit.text("window.home.reach"), size="small", bold=True))
        reach = ", ".join(map(flattened, gem.hosts)) or kit.text("window.home.reach_nothing")
        column.addWidget(Label(kit, reach, size="small", colour="text_soft"))
        return below


def _problem(kit: Kit, gem: GemRow) -> str:
    """Return what stopped a gem; the card does not know which of its files changed, and says so without it."""
    key = "window.home.files_changed" if gem.problem == Code.FILES_CHANGED else gem.problem
    return kit.text(key, gem=gem.name)
