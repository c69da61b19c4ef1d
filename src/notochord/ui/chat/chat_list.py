"""The list of conversations in the widened sidebar: pinned and recent, search, state, and a menu for each."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QVBoxLayout,
    QWidget,
)

from notochord.ui.chat.chat_rows import MORE, RowDelegate, chat_of, roles
from notochord.ui.chat.dialogs import RenameDialog, ask_to_delete, title_of
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.labels import remark
from notochord.ui.kit.controls.menus import LINE, Menu, MenuEntry, MenuIconButton
from notochord.ui.kit.controls.search_field import SearchField
from notochord.ui.kit.item_model import ITEM, ItemModel
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.chat_list import ChatListModel, Hit, Row
from notochord.viewmodels.chat.values import Chat
from notochord.viewmodels.shell.navigation import OF_ENTRY, Navigation, Page, Place

Index = QModelIndex | QPersistentModelIndex
SEARCH_AFTER = 180
BESIDE = 4
"""Between the button of a row and the end of the row."""


class ChatListView(QWidget):
    """Enter or a press opens a conversation; the "…" of a row, F2 and Delete do the rest."""

    def __init__(self, kit: Kit, model: ChatListModel, navigation: Navigation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model, self._navigation = kit, model, navigation
        space, text = kit.theme.space, kit.text
        column = QVBoxLayout(self)
        column.setContentsMargins(space.s, 0, space.s, 0)
        column.setSpacing(space.xs)
        self.search = SearchField(kit, text("window.chat.list_search"), lambda _: self._later.start())
        column.addWidget(self.search)
        self.rows = _Rows(kit, model, self)
        column.addWidget(self.rows, 1)
        self.nothing = remark(kit, "")
        column.addWidget(self.nothing)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SEARCH_AFTER)
        self._later.timeout.connect(self._search)
        self.rows.activated.connect(self._open)
        self.rows.clicked.connect(self._open)
        self.search.returnPressed.connect(self._open_first)
        for signal in (self.rows.model().rowsInserted, self.rows.model().rowsRemoved, self.rows.model().modelReset):
            signal.connect(self._tell_nothing)
        bind(self, navigation.place, self._mark)
        bind(self, model.words, lambda _: self._tell_nothing())
        bind(self, model.loaded, lambda _: self._tell_nothing())
        self.setFocusProxy(self.search)

    def entries(self, chat: Chat) -> Sequence[MenuEntry]:
        """Return what can be done with a conversation (CHAT-005 to CHAT-007)."""
        text, run = self._kit.text, self._kit.runner.run

        def pin() -> None:
            run(self, "pin", self._model.pin(chat.id, not chat.pinned))

        return (
            MenuEntry(text("window.chat.rename"), lambda: self.rename(chat), "edit"),
            MenuEntry(text("window.chat.unpin" if chat.pinned else "window.chat.pin"), pin, "pin"),
            LINE,
            MenuEntry(text("window.chat.delete"), lambda: self.delete(chat), "delete"),
        )

    def rename(self, chat: Chat) -> None:
        """Ask for another title."""

        def rename(title: str) -> None:
            self._kit.runner.run(self, "rename", self._model.rename(chat.id, title))

        RenameDialog(self._kit, self, chat.title, rename).open()

    def delete(self, chat: Chat) -> None:
        """Ask, naming what goes, then delete."""

        def delete() -> None:
            self._kit.runner.run(self, "delete", self._model.delete(chat.id))

        ask_to_delete(self._kit, self, chat, delete)

    def _search(self) -> None:
        self._kit.runner.run(self, "search", self._model.search(self.search.text()))

    def _open_first(self) -> None:
        """Open what is found first by the words as they are now."""
        self._later.stop()
        words = self.search.text()

        def found(_: None) -> None:
            if self._model.hits and self.search.text() == words:
                self._go(self._model.hits[0])

        self._kit.runner.run(self, "search", self._model.search(words), done=found)

    def _open(self, index: QModelIndex) -> None:
        self._go(index.data(ITEM))

    def _go(self, row: Row) -> None:
        if isinstance(row, Chat):
            self._navigation.go(Page.CHAT, row.id)
        elif isinstance(row, Hit):
            self._navigation.go(Page.CHAT, f"{row.chat.id}{OF_ENTRY}{row.entry}" if row.entry else row.chat.id)

    def _mark(self, place: Place) -> None:
        self.rows.mark(place.subject.partition(OF_ENTRY)[0] if place.page is Page.CHAT else "")

    def _tell_nothing(self) -> None:
        searched = bool(self._model.words.value)
        self.nothing.setText(self._kit.text("window.chat.list_nothing" if searched else "window.chat.list_empty"))
        self.nothing.setVisible(not self._model.rows and self._model.loaded.value and not self._model.searching.value)


class _Rows(QListView):
    """The list itself; a real button stands over the row that is pointed at or current."""

    def __init__(self, kit: Kit, model: ChatListModel, owner: ChatListView) -> None:
        super().__init__(owner)
        self._kit, self._owner = kit, owner
        self._delegate = RowDelegate(kit, self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(kit.text("window.chat.list"))
        self.more = MenuIconButton(kit, "more", kit.text("window.chat.more"), self._entries, self.viewport(), size=16)
        self.more.hide()
        self._over: QPersistentModelIndex = QPersistentModelIndex()
        self.setModel(ItemModel(model.rows, roles(kit), self))
        self.verticalScrollBar().valueChanged.connect(lambda _: self._place_more())
        self.model().dataChanged.connect(lambda *_: self._place_more())
        self.model().rowsRemoved.connect(lambda *_: self._put_more_on_current())
        kit.theme.changed.connect(self.viewport().update)

    def mark(self, chat: str) -> None:
        """Show which conversation is open."""
        self._delegate.open = chat
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Put the button over the row that is pointed at."""
        super().mouseMoveEvent(event)
        self._put_more(self.indexAt(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """Take the button away."""
        super().leaveEvent(event)
        if not self.more.hasFocus():
            self._put_more(self.currentIndex() if self.hasFocus() else QModelIndex())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the first conversation, and put the button over the row that the keyboard is on."""
        super().focusInEvent(event)
        by_keyboard = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_keyboard and not self.currentIndex().isValid():
            found = (self.model().index(row, 0) for row in range(self.model().rowCount()))
            if (first := next((index for index in found if chat_of(index.data(ITEM))), None)) is not None:
                self.setCurrentIndex(first)
        if by_keyboard:
            self._put_more(self.currentIndex())

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Put the button over the row that the keyboard is on."""
        super().currentChanged(current, previous)
        self._put_more(self.model().index(current.row(), 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 renames, Delete deletes; Enter opens."""
        chat = chat_of(self.currentIndex().data(ITEM))
        if event.key() == Qt.Key.Key_F2 and chat:
            self._owner.rename(chat)
        elif event.key() == Qt.Key.Key_Delete and chat:
            self._owner.delete(chat)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of a row where it was asked for."""
        keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if keyboard else self.indexAt(event.pos())
        chat = chat_of(index.data(ITEM))
        if chat is None:
            return
        menu = Menu(self._kit, self._owner.entries(chat), self)
        menu.aboutToHide.connect(menu.deleteLater)
        place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft()) if keyboard else event.globalPos()
        menu.popup(place)

    def _entries(self) -> Sequence[MenuEntry]:
        chat = chat_of(self._over.data(ITEM)) if self._over.isValid() else None
        return self._owner.entries(chat) if chat else ()

    def _put_more_on_current(self) -> None:
        self._put_more(self.currentIndex() if self.hasFocus() else QModelIndex())

    def _put_more(self, index: QModelIndex) -> None:
        self._over = QPersistentModelIndex(index)
        self._place_more()

    def _place_more(self) -> None:
        chat = chat_of(self._over.data(ITEM)) if self._over.isValid() else None
        if chat is None:
            self.more.hide()
            return
        area = self.visualRect(self.model().index(self._over.row(), 0))
        right_to_left = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = area.left() + BESIDE if right_to_left else area.right() - MORE - BESIDE + 1
        self.more.setGeometry(QRect(QPoint(left, area.center().y() - MORE // 2 + 1), QSize(MORE, MORE)))
        self.more.rename(self._kit.text("window.chat.more_of", title=title_of(self._kit, chat)))
        self.more.show()
        self.viewport().update(area)
