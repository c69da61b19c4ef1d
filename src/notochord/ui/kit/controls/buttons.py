"""Buttons: ordinary, primary (one per screen), dangerous, and icon buttons with a name for assistive technology."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QToolButton, QWidget

from notochord.ui.kit.enter import pressed_by_enter
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.unseen import shown

NARROWEST = 56
SMALL_ICON = 16
"""Side of an icon beside a text of the usual size."""


class Ground(QPushButton):
    """A flat button that other widgets lie upon."""

    def __init__(self, name: str, on_click: Callable[[], None]) -> None:
        super().__init__()
        self.setFlat(True)
        self.setAccessibleName(name)
        self.setAutoDefault(False)
        self.clicked.connect(lambda _=False: on_click())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)


class Button(QPushButton):
    """A button with a text; `on_click` is called without arguments.

    One that `gives_way` may become narrower than its text, which then ends in "…" and is whole in the tool tip.
    """

    def __init__(
        self, kit: Kit, text: str, on_click: Callable[[], None] | None = None, parent: QWidget | None = None, *,
        primary: bool = False, danger: bool = False, icon_name: str = "", gives_way: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(_literal(text), parent)
        self._kit = kit
        self._icon_name = icon_name
        self._over = "on_accent" if primary else "on_danger" if danger else "text"
        self.setProperty("primary", primary)
        self.setProperty("danger", danger)
        self.setProperty("gives_way", gives_way)
        if gives_way:  # else Qt takes the wanted width for the least one
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if on_click:
            self.clicked.connect(lambda _=False: on_click())
        kit.theme.changed.connect(self._paint_again)
        self._paint_again()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def setText(self, text: str) -> None:
        """Show another text; an ampersand in it (a name) is one, not a mnemonic."""
        super().setText(_literal(text))

    def text(self) -> str:
        """Return the text as it is seen."""
        return super().text().replace("&&", "&")

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), NARROWEST), hint.height()) if self.property("gives_way") else hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.property("gives_way"):
            self.setToolTip(self.text() if self.width() < self.sizeHint().width() else "")

    def _paint_again(self) -> None:
        palette = self.palette()
        palette.setColor(palette.ColorGroup.Active, palette.ColorRole.ButtonText, self._kit.theme.colour(self._over))
        palette.setColor(palette.ColorGroup.Inactive, palette.ColorRole.ButtonText, self._kit.theme.colour(self._over))
        self.setPalette(palette)
        if self._icon_name:
            size = self._kit.theme.grown(SMALL_ICON)
            self.setIconSize(QSize(size, size))
            self.setIcon(icon(self._icon_name, getattr(self._kit.theme.colours, self._over), size))


def _literal(text: str) -> str:
    return shown(text).replace("&", "&&")


class IconButton(QToolButton):
    """A button that shows only an icon; `name` is its tool tip and its accessible name."""

    def __init__(
        self, kit: Kit, icon_name: str, name: str, on_click: Callable[[], None] | None = None,
        parent: QWidget | None = None, *, size: int = 18,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self._icon_name = icon_name
        self._size = size
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.rename(name)
        if on_click:
            self.clicked.connect(lambda _=False: on_click())
        kit.theme.changed.connect(self._paint_again)
        self._paint_again()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def rename(self, name: str) -> None:
        """Give the button another name, as when it does the opposite now."""
        self.setToolTip(name)
        self.setAccessibleName(name)

    def set_icon(self, icon_name: str) -> None:
        """Show another icon."""
        self._icon_name = icon_name
        self._paint_again()

    def _paint_again(self) -> None:
        size = self._kit.theme.grown(self._size)
        self.setIconSize(QSize(size, size))
        self.setIcon(icon(self._icon_name, self._kit.theme.colours.text_soft, size))
