"""The head of a gem's page: what it is and who made it, the way to its other views, and its removal."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.chat.wording import file_size
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.breakable import breakable
from notochord.ui.kit.brought import gem_name, gem_said
from notochord.ui.kit.controls.badges import Badge, LetterIcon
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.confirm import Confirm
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.menus import LINE, MenuEntry, MenuIconButton
from notochord.ui.kit.controls.wrap import Wrap
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.tab_order import TabPlace
from notochord.viewmodels.gem.model import GemModel, Lost
from notochord.viewmodels.gem.place import View
from notochord.viewmodels.gem.shown import GemShown

ICON = 48
MOST_PAGES = 3
"""Pages with a button in the head; all of them are named among the contents."""
LONGEST_TITLE = 40
OFFICIAL = "official"
"""A value of `Trust`."""


class BackRow(QWidget):
    """The way back to where this view was opened from, and the name of the view."""

    def __init__(self, kit: Kit, model: GemModel, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(kit.theme.space.s)
        self.back = IconButton(kit, "chevron-left", "", lambda: model.go_to(View.MAIN))
        row.addWidget(self.back)
        self.title = ElidedLabel(kit, text, size="title", bold=True)
        row.addWidget(self.title, 1)
        bind(self, model.shown, self._show)
        self._text = text

    def _show(self, found: GemShown | None) -> None:
        self.back.rename(self._kit.text("window.gem.back", gem=name_of(self._kit, found) if found else ""))


class Head(QWidget):
    """Stands at the top of the page; empty until the gem is read."""

    def __init__(self, kit: Kit, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model = kit, model
        text, space = kit.text, kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.s)
        row = QHBoxLayout()
        row.setSpacing(space.m)
        row.addWidget(IconButton(kit, "chevron-left", text("window.gem.home"), model.go_home))
        self._icon = QVBoxLayout()
        row.addLayout(self._icon)
        words = QVBoxLayout()
        words.setSpacing(2)
        self._name = ElidedLabel(kit, "", size="title", bold=True)
        words.addWidget(self._name)
        self._facts = QHBoxLayout()
        self._facts.setSpacing(space.s)
        self._maker = ElidedLabel(kit, "", size="small", colour="text_soft")
        self._facts.addWidget(self._maker)
        self._trust = Badge(kit, "")
        self._facts.addWidget(self._trust)
        self._facts.addStretch(1)
        words.addLayout(self._facts)
        row.addLayout(words, 1)
        self.menu = MenuIconButton(kit, "more", "", self.entries)
        self.delete = Button(kit, text("window.gem.delete"), self._count_first, icon_name="delete")
        for button in (self.menu, self.delete):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        self._description = Label(kit, "", selectable=True)
        self._description.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        column.addWidget(self._description)
        self.pages: list[Button] = []
        """What opens the first pages of the gem."""
        self._paged: tuple[tuple[str, str], ...] = ()
        self.introduction = Button(
            kit, text("window.gem.introduction"), lambda: model.go_to(View.INTRODUCTION), icon_name="info"
        )
        self._place = TabPlace(self)
        self._ways = Wrap(gap=space.s)
        self._ways.addWidget(self.introduction)
        column.addLayout(self._ways)
        bind(self, model.shown, self._show)

    def entries(self) -> Sequence[MenuEntry]:
        """Return what the menu offers; downloading again only where that is possible."""
        text = self._kit.text
        found = [
            MenuEntry(text("window.gem.data"), lambda: self._model.go_to(View.DATA), "list"),
            LINE,
            MenuEntry(text("window.gem.verify"), self._verify, "shield"),
        ]
        if self._model.can_repair.value:
            found.append(MenuEntry(text("window.gem.download_again"), self._repair, "download"))
        return found

    def ask_to_remove(self, lost: Lost) -> Confirm:
        """Ask, naming what is destroyed, then remove the gem (GEMUI-050 to GEMUI-053)."""
        text, found = self._kit.text, self._model.shown.value
        name = name_of(self._kit, found) if found else ""
        said = [text("window.gem.delete.text"), self._data(lost)]
        said.append(text("window.gem.delete.knowledge" if lost.uses_knowledge else "window.gem.delete.files"))
        dialog = Confirm(
            self._kit, self.window(), text("window.gem.delete.title", gem=name), "\n\n".join(said),
            text("window.gem.delete.now"), self._remove,
        )  # fmt: skip
        dialog.open()
        return dialog

    def _data(self, lost: Lost) -> str:
        text = self._kit.text
        if not lost.known:
            return text("window.gem.delete.unknown")
        parts = [
            text(f"window.gem.count.{name}", count=count)
            for name, count in (
                ("records", lost.records), ("documents", lost.documents), ("files", lost.files), ("keys", lost.keys)
            )
            if count
        ]  # fmt: skip
        size = file_size(self._kit, lost.size)
        if not parts:
            return text("window.gem.delete.nothing", size=size)
        return text("window.gem.delete.data", what=text("window.settings.list.separator").join(parts), size=size)

    def _show(self, found: GemShown | None) -> None:
        self.setVisible(found is not None)
        if found is None:
            return
        text, name = self._kit.text, name_of(self._kit, found)
        _exchange(self._icon, LetterIcon(self._kit, name, found.id, ICON))
        self._name.setText(name)
        self._maker.setText(text("window.gem.made_by", version=found.version, publisher=found.publisher))
        tone = {"official": "success", "unsigned": "warning", "unknown_key": "warning"}.get(found.trust, "neutral")
        self._trust.show_as(text(f"window.gem.trust.{found.trust}"), tone)
        said = gem_said(self._kit, found.id, found.description, official=found.trust == OFFICIAL)
        self._description.setText(breakable(said))
        self._lead_to_pages(found)
        self.introduction.setVisible(found.has_introduction)
        self.menu.rename(text("window.gem.menu", gem=name))
        self.delete.setAccessibleName(text("window.gem.delete.named", gem=name))

    def _lead_to_pages(self, found: GemShown) -> None:
        """Put what opens the pages before the introduction; pages that stay keep their buttons."""
        open_page, pages = self._model.open_page, found.pages[:MOST_PAGES]
        if open_page is None or pages == self._paged:
            return
        self._paged = pages
        for button in (*self.pages, self.introduction):
            self._ways.removeWidget(button)
        for button in self.pages:
            button.hide()
            button.deleteLater()
        self.pages = [
            Button(self._kit, _short(title), partial(open_page, found.id, name), icon_name="panel", parent=self)
            for name, title in pages
        ]
        for button in (*self.pages, self.introduction):
            self._ways.addWidget(button)
        self._place.take(self._ways)

    def _count_first(self) -> None:
        self._kit.runner.run(self, "count what is lost", self._model.what_is_lost(), done=self._ask)

    def _ask(self, lost: Lost) -> None:
        self.ask_to_remove(lost)

    def _remove(self) -> None:
        self._kit.runner.run(self.window(), "remove a gem", self._model.remove())

    def _verify(self) -> None:
        self._kit.runner.run(self, "look at a gem's files", self._model.verify())

    def _repair(self) -> None:
        self._kit.runner.run(self, "download a gem again", self._model.download_again())


def _short(title: str) -> str:
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"


def name_of(kit: Kit, found: GemShown) -> str:
    """Return what the gem is called in the window's language."""
    return gem_name(kit, found.id, found.name, official=found.trust == OFFICIAL)


def _exchange(place: QVBoxLayout, widget: QWidget) -> None:
    while (item := place.takeAt(0)) is not None:
        if (before := item.widget()) is not None:
            before.hide()
            before.deleteLater()
    place.addWidget(widget)
