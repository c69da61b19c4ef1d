"""The tiles of Home: the way to the store, and each installed gem, whose page it opens.

A gem's has its letter, its name, one line, and what is the matter with it.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from notochord.ui.kit.brought import gem_name, gem_said
from notochord.ui.kit.controls.badges import Badge, LetterIcon
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.menus import MenuEntry, MenuIconButton
from notochord.ui.kit.enter import pressed_by_enter
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import focus_by_keyboard, panel
from notochord.viewmodels.home.model import GemRow

ICON = 36
GLYPH = 28


class Tile(QAbstractButton):
    """A raised panel that is pressed as a whole; `on_open` is called then."""

    def __init__(self, kit: Kit, on_open: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew when the pointer comes and goes
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.clicked.connect(lambda _=False: on_open())
        kit.theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        return layout.minimumSize() if layout is not None else super().minimumSizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        painter = QPainter(self)
        radius = theme.tokens.radius.large - 2
        over = self.isDown() or self.underMouse()
        panel(painter, self.rect(), radius, theme.colour("raised"), theme.colour("border"))
        if over:
            panel(painter, self.rect(), radius, theme.colour("pressed" if self.isDown() else "hover"))
        if focus_by_keyboard(self):
            panel(painter, self.rect(), radius, None, theme.colour("focus"), 2)
        painter.end()


class GemTile(Tile):
    """`on_open` is called when it is pressed, `on_pin` with whether it is to stand among the first."""

    def __init__(
        self, kit: Kit, gem: GemRow, on_open: Callable[[], None], on_pin: Callable[[bool], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(kit, on_open, parent)
        self._gem, self._on_pin = gem, on_pin
        space = kit.theme.space
        name = gem_name(kit, gem.id, gem.name, official=not gem.trust)
        description = gem_said(kit, gem.id, gem.description, official=not gem.trust)
        row = QHBoxLayout(self)
        row.setContentsMargins(space.m, space.m, space.xs, space.m)
        row.setSpacing(space.m)
        row.addWidget(LetterIcon(kit, name, gem.id, ICON), 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(ElidedLabel(kit, name, bold=True))
        column.addWidget(ElidedLabel(kit, description, size="small", colour="text_soft"))
        marks = _marks(kit, gem)
        for text, tone in marks:
            column.addSpacing(space.xs)
            column.addWidget(Badge(kit, text, tone), 0, Qt.AlignmentFlag.AlignLeading)
        column.addStretch(1)
        row.addLayout(column, 1)
        self.menu = MenuIconButton(kit, "more", kit.text("window.home.menu", gem=name), self.entries)
        row.addWidget(self.menu, 0, Qt.AlignmentFlag.AlignTop)
        for inner in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if inner is not self.menu:
                inner.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(", ".join([name, *(text for text, _ in marks)]))
        self.setAccessibleDescription(description)
        self.setToolTip(description)

    def entries(self) -> Sequence[MenuEntry]:
        """Return what can be done with the gem here."""
        key = "window.home.unpin" if self._gem.pinned else "window.home.pin"
        return (MenuEntry(self._kit.text(key), lambda: self._on_pin(not self._gem.pinned), "pin"),)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu as its button does."""
        self.menu.open_menu()
        event.accept()


class StoreTile(Tile):
    """The way to the store, the first of the tiles (HOME-004)."""

    def __init__(self, kit: Kit, on_open: Callable[[], None], updates: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(kit, on_open, parent)
        space = kit.theme.space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.m, space.m, space.m, space.m)
        row.setSpacing(space.m)
        self._glyph = QLabel()
        self._glyph.setFixedSize(ICON, ICON)
        self._glyph.setAlignment(Qt.AlignmentFlag.AlignCenter)
        row.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        name, said = kit.text("window.home.store"), kit.text("window.home.store.said")
        marks = [kit.text("window.home.updates", count=updates)] if updates else []
        column.addWidget(ElidedLabel(kit, name, bold=True))
        column.addWidget(ElidedLabel(kit, said, size="small", colour="text_soft"))
        for mark in marks:
            column.addSpacing(space.xs)
            column.addWidget(Badge(kit, mark, "accent"), 0, Qt.AlignmentFlag.AlignLeading)
        column.addStretch(1)
        row.addLayout(column, 1)
        for inner in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            inner.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(", ".join([name, *marks]))
        self.setAccessibleDescription(said)
        self.setToolTip(said)
        kit.theme.changed.connect(self._paint_again)
        self._paint_again()

    def _paint_again(self) -> None:
        self._glyph.setPixmap(icon("store", self._kit.theme.colours.accent, GLYPH).pixmap(GLYPH, GLYPH))


def _marks(kit: Kit, gem: GemRow) -> list[tuple[str, str]]:
    """Return what is the matter, the gravest first; an update can wait until the rest is in order."""
    if gem.problem:
        return [(kit.text("window.home.stopped"), "danger")]
    if gem.needs_setup:
        return [(kit.text("window.home.needs_setup"), "warning")]
    if gem.update:
        return [(kit.text("window.home.update", version=gem.update), "accent")]
    return []
