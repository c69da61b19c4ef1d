"""The sidebar: a column of icons that widens over the page on hover and while the keyboard is in it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from notochord.core.observable import ObservableList
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.buttons import IconButton
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.motion import Glide
from notochord.ui.kit.painting import shadow
from notochord.ui.shell.entry import Entry
from notochord.viewmodels.shell.attention import Waiting
from notochord.viewmodels.shell.navigation import Navigation, Page, Place

COLLAPSED = 56
WIDE = 280
DEPTH = 14
OPEN_AFTER = 120
FOLD_AFTER = 220
LOOK_AGAIN = 300
"""Milliseconds between two looks for the pointer while it holds the sidebar open: Qt misses some leavings."""

FROM_HOME = (Page.STORE, Page.GEM, Page.GEM_PAGE)
"""Pages that are reached from Home."""


class Sidebar(QWidget):
    """Lies over the left edge of its parent (the right one where text runs from right to left)."""

    def __init__(
        self, kit: Kit, navigation: Navigation, pages: frozenset[Page], *, parent: QWidget,
        waiting: ObservableList[Waiting], on_new_chat: Callable[[], None], on_folder: Callable[[], None],
        on_search: Callable[[], None], chat_list: Callable[[], QWidget] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self._beside_page = parent
        self._navigation = navigation
        self._make_list = chat_list
        self._list: QWidget | None = None
        self._wanted = False
        self._held = False
        self._rests = False
        self._shade = _Shade(parent)
        self._glide = Glide(kit.theme, lambda _: self.follow(), self, start=COLLAPSED)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.timeout.connect(self._decide)
        self._watch = QTimer(self)
        self._watch.setInterval(LOOK_AGAIN)
        self._watch.timeout.connect(self._decide)
        self.setAccessibleName(kit.text("window.shell.sidebar"))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, kit.theme.space.m, 0, kit.theme.space.m)
        self._column.setSpacing(2)
        self.entries: dict[Page, Entry] = {}
        self._fill(pages, on_new_chat, on_folder, on_search)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)
        bind(self, navigation.place, self._mark_place)
        bind(self, navigation.model_connected, self._grey_chat)
        bind_list(self, waiting, lambda: self._count(len(waiting)))
        self.follow()

    @property
    def wide(self) -> bool:
        """Tell whether the sidebar is widened or about to be."""
        return self._wanted

    def widen(self) -> None:
        """Show texts and the list of conversations."""
        self._wanted = True
        if self._list is None and self._make_list and self._navigation.model_connected.value:
            self._list = self._make_list()
            self._room.addWidget(self._list)
        self._glide.to(WIDE)

    def fold(self) -> None:
        """Become a column of icons again, unless the pointer or the keyboard is still here."""
        self._delay.start(FOLD_AFTER)

    def follow(self) -> None:
        """Take the place at the edge of the parent."""
        parent = self._beside_page
        width = round(self._glide.value)
        right_to_left = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = parent.width() - width if right_to_left else 0
        self.setGeometry(QRect(left, 0, width, parent.height()))
        raised = (self._glide.value - COLLAPSED) / (WIDE - COLLAPSED)
        self._shade.lie_beside(self, raised, at_left=right_to_left)
        self._show_wide_parts()

    def enterEvent(self, event: QEnterEvent) -> None:
        """From here on the user goes by mouse, until the keyboard moves on."""
        super().enterEvent(event)
        self._held = self._rests = False
        self._delay.start(OPEN_AFTER)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._delay.start(FOLD_AFTER)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go up and down with the arrow keys; Escape leaves for the page."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        elif event.key() == Qt.Key.Key_Down:
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def _leave(self) -> None:
        """Give the keyboard to the page."""
        while (focused := QApplication.focusWidget()) and self.isAncestorOf(focused) and self.focusNextChild():
            pass

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        body = self.rect()
        painter.fillRect(body, self._kit.theme.colour("background"))
        edge = body.left() if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else body.right()
        painter.setPen(self._kit.theme.colour("border"))
        painter.drawLine(edge, body.top(), edge, body.bottom())
        painter.end()

    def _fill(
        self, pages: frozenset[Page], on_new_chat: Callable[[], None], on_folder: Callable[[], None],
        on_search: Callable[[], None],
    ) -> None:  # fmt: skip
        kit = self._kit
        search = Entry(
            kit, "search", kit.text("window.shell.search"), on_search, column=COLLAPSED, remark=kit.keys("Ctrl+K")
        )
        self._column.addWidget(search)
        if Page.HOME in pages:
            self._column.addWidget(self._entry(Page.HOME, "home"))
        if Page.CHAT in pages:
            row = QHBoxLayout()
            row.setSpacing(0)
            row.addWidget(self._entry(Page.CHAT, "chat"), 1)
            self._new = IconButton(kit, "new-chat", kit.text("window.shell.new_chat"), on_new_chat)
            self._around = IconButton(kit, "folder-chat", kit.text("window.shell.folder_chat"), on_folder)
            self._beside = QWidget()
            beside = QHBoxLayout(self._beside)
            beside.setContentsMargins(0, 0, kit.theme.space.s, 0)
            beside.setSpacing(0)
            beside.addWidget(self._new)
            beside.addWidget(self._around)
            row.addWidget(self._beside)
            self._column.addLayout(row)
        self._room = QVBoxLayout()
        self._room.setContentsMargins(0, kit.theme.space.xs, 0, 0)
        self._column.addLayout(self._room, 1)
        self._column.addStretch(0)
        if Page.SETTINGS in pages:
            self._column.addWidget(self._entry(Page.SETTINGS, "settings"))

    def _entry(self, page: Page, icon_name: str) -> Entry:
        text = self._kit.text(f"window.shell.{page.value}")
        entry = Entry(self._kit, icon_name, text, lambda: self._choose(page), column=COLLAPSED)
        self.entries[page] = entry
        return entry

    def _choose(self, page: Page) -> None:
        """Go to the page; over the column of the settings it folds until the mouse returns."""
        self._navigation.go(page)
        if page is Page.SETTINGS and not self._held:
            self._rests = True
            self._decide()

    def _show_wide_parts(self) -> None:
        """Show what has no room in the column of icons, once there is room; nothing is squeezed on the way."""
        shown = self._wanted and round(self._glide.value) == WIDE
        if Page.CHAT in self.entries:
            self._beside.setVisible(shown)
        if self._list is not None:
            self._list.setVisible(shown and self._navigation.model_connected.value)

    def _decide(self) -> None:
        """Widen or fold by where pointer and keyboard are; a menu or a dialog of ours keeps it as it is."""
        if QApplication.activePopupWidget() or QApplication.activeModalWidget():
            self._delay.start(FOLD_AFTER)
            return
        inside = self.rect().contains(self.mapFromGlobal(self.cursor().pos())) and self.underMouse()
        here = inside and not self._rests
        if here or self._is_held():
            self._watch.start()
            if not self._wanted:
                self.widen()
            return
        self._watch.stop()
        if self._wanted:
            self._wanted = False
            self._show_wide_parts()
            self._glide.to(COLLAPSED)

    def _is_held(self) -> bool:
        """Tell whether the keyboard is at work here: it came with Tab, or something is typed into a field."""
        focused = QApplication.focusWidget()
        inside = focused is not None and self.isAncestorOf(focused)
        return inside and (self._held or isinstance(focused, QLineEdit))

    def _focus_changed(self, _: QWidget | None, now: QWidget | None) -> None:
        """Widen for Tab; a window gives its first control the focus unasked, which is not Tab."""
        inside = now is not None and self.isAncestorOf(now)
        self._held = inside and self.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        if self._held:
            self.widen()
        elif self._wanted:
            self._delay.start(FOLD_AFTER)

    def _mark_place(self, place: Place) -> None:
        here = Page.HOME if place.page in FROM_HOME else place.page
        for page, entry in self.entries.items():
            entry.choose(page is here)

    def _grey_chat(self, connected: bool) -> None:
        if entry := self.entries.get(Page.CHAT):
            entry.set_grey(not connected)
            entry.setAccessibleDescription("" if connected else self._kit.text("window.shell.no_model"))
            entry.setToolTip("" if connected else self._kit.text("window.shell.no_model"))
            self._new.setEnabled(connected)
            self._around.setEnabled(connected)
            self._show_wide_parts()

    def _count(self, waiting: int) -> None:
        if entry := self.entries.get(Page.HOME):
            entry.set_count(waiting, self._kit.text("window.shell.waiting", count=waiting))


class _Shade(QWidget):
    """The shadow beside the widened sidebar; what lies below it takes the clicks."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._raised = 0.0
        self._at_left = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def lie_beside(self, body: QWidget, raised: float, *, at_left: bool) -> None:
        """Follow the body's edge; `raised` is how far it is widened, 0 to 1."""
        self._raised, self._at_left = raised, at_left
        area = body.geometry()
        left = area.left() - DEPTH if at_left else area.right() + 1
        self.setGeometry(left, 0, DEPTH, area.height())
        self.setVisible(raised > 0)

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        left = DEPTH if self._at_left else -WIDE
        shadow(painter, QRectF(left, 0, WIDE, self.height()), 0, DEPTH, round(34 * self._raised))
        painter.end()
