"""A button that opens a menu, and menus whose texts are taken as they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

from notochord.ui.kit.controls.buttons import SMALL_ICON, Button, IconButton
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.unseen import shown


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of a menu; without a text it is a line between others. `checked` None means that it cannot be."""

    text: str = ""
    act: Callable[[], None] | None = None
    icon_name: str = ""
    checked: bool | None = None
    enabled: bool = True
    shortcut: str = ""


LINE = MenuEntry()
APART = 2
"""Between a button and its menu."""


class Menu(QMenu):
    """A menu of entries; an ampersand in a text (a chat's title) is one, not a mnemonic."""

    def __init__(self, kit: Kit, entries: Sequence[MenuEntry], parent: QWidget) -> None:
        super().__init__(parent)
        for entry in entries:
            if not entry.text:
                self.addSeparator()
                continue
            action = self.addAction(shown(entry.text).replace("&", "&&"))
            action.setEnabled(entry.enabled)
            if entry.icon_name:
                action.setIcon(icon(entry.icon_name, kit.theme.colours.text_soft, kit.theme.grown(SMALL_ICON)))
            if entry.checked is not None:
                action.setCheckable(True)
                action.setChecked(entry.checked)
            if entry.shortcut:
                action.setText(f"{action.text()}\t{kit.keys(entry.shortcut)}")
            if act := entry.act:
                action.triggered.connect(lambda _=False, act=act: act())

    def open_below(self, widget: QWidget) -> None:
        """Show the menu beside the widget; it destroys itself when it closes."""
        self.aboutToHide.connect(self.deleteLater)
        self.popup(self.place_at(widget))

    def place_at(self, widget: QWidget) -> QPoint:
        """Return the place at the widget's lower edge, or over the widget where there is no room below."""
        place, height = widget.mapToGlobal(QPoint(0, widget.height() + APART)), self.sizeHint().height()
        over = widget.mapToGlobal(QPoint(0, -APART)) - QPoint(0, height)
        screen = widget.screen().availableGeometry()
        fits = place.y() + height <= screen.bottom() + 1 or over.y() < screen.top()
        return place if fits else over


class MenuIconButton(IconButton):
    """An icon button whose menu is made anew each time it opens."""

    def __init__(
        self, kit: Kit, icon_name: str, name: str, entries: Callable[[], Sequence[MenuEntry]],
        parent: QWidget | None = None, *, size: int = 18,
    ) -> None:  # fmt: skip
        super().__init__(kit, icon_name, name, self._opened, parent, size=size)
        self._kit_of_menu = kit
        self._entries = entries

    def _opened(self) -> None:
        self.open_menu()

    def open_menu(self) -> Menu:
        """Show the menu."""
        menu = Menu(self._kit_of_menu, self._entries(), self)
        menu.open_below(self)
        return menu


class MenuButton(Button):
    """A button with a text and an arrow, whose menu is made anew each time it opens."""

    def __init__(
        self, kit: Kit, text: str, entries: Callable[[], Sequence[MenuEntry]], parent: QWidget | None = None
    ) -> None:
        super().__init__(kit, text, self._opened, parent, icon_name="chevron-down")
        self._kit_of_menu = kit
        self._entries = entries

    def _opened(self) -> None:
        self.open_menu()

    def open_menu(self) -> Menu:
        """Show the menu."""
        menu = Menu(self._kit_of_menu, self._entries(), self)
        menu.open_below(self)
        return menu
