"""The list of conversations in the widened sidebar: pinned and recent, search, state, and a menu for each."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from notochord.ui.chat.dialogs import RenameDialog, ask_to_delete, title_of
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.labels import remark
from notochord.ui.kit.controls.menus import LINE, Menu, MenuEntry, MenuIconButton
from notochord.ui.kit.controls.search_field import SearchField
from notochord.ui.kit.item_model import ITEM, ItemModel
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel
from notochord.viewmodels.chat.chat_list import ChatListModel, HeadingRow, Hit, Row
from notochord.viewmodels.chat.page import OF_ENTRY
from notochord.viewmodels.chat.values import Chat, ChatState
from notochord.viewmodels.shell.navigation import Navigation, Page, Place

Index = QModelIndex | QPersistentModelIndex
SEARCH_AFTER = 180
DOT = 8
MORE = 26
DOTS = {ChatState.ANSWERING: "link", ChatState.WAITING: "warning", ChatState.FAILED: "danger"}


class ChatListView(QWidget):
    """Enter or a press opens a conversation; the "…" of a row, F2 and Delete do the rest."""

    def __init__(self, kit: Kit, model: ChatListModel, navigation: Navigation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model, self._navigation = kit, model, navigation
        space, text = kit.theme.space, kit.text
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
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
        """Open what was found first."""
        self._later.stop()
        self._search()
        if self._model.hits:
            self._go(self._model.hits[0])

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
        self._delegate = _RowDelegate(kit, self)
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
        self.setModel(ItemModel(model.rows, _roles(kit), self))
        self.verticalScrollBar().valueChanged.connect(lambda _: self._place_more())
        self.model().dataChanged.connect(lambda *_: self._place_more())
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

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Put the button over the row that the keyboard is on."""
        super().currentChanged(current, previous)
        self._put_more(self.model().index(current.row(), 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 renames, Delete deletes; Enter opens."""
        chat = _chat(self.currentIndex().data(ITEM))
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
        chat = _chat(index.data(ITEM))
        if chat is None:
            return
        menu = Menu(self._kit, self._owner.entries(chat), self)
        menu.aboutToHide.connect(menu.deleteLater)
        place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft()) if keyboard else event.globalPos()
        menu.popup(place)

    def _entries(self) -> Sequence[MenuEntry]:
        chat = _chat(self._over.data(ITEM)) if self._over.isValid() else None
        return self._owner.entries(chat) if chat else ()

    def _put_more(self, index: QModelIndex) -> None:
        self._over = QPersistentModelIndex(index)
        self._place_more()

    def _place_more(self) -> None:
        chat = _chat(self._over.data(ITEM)) if self._over.isValid() else None
        if chat is None:
            self.more.hide()
            return
        area = self.visualRect(self.model().index(self._over.row(), 0))
        right_to_left = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = area.left() + 2 if right_to_left else area.right() - MORE - 1
        self.more.setGeometry(QRect(QPoint(left, area.center().y() - MORE // 2 + 1), QSize(MORE, MORE)))
        self.more.rename(self._kit.text("window.chat.more_of", title=title_of(self._kit, chat)))
        self.more.show()
        self.viewport().update(area)


class _RowDelegate(QStyledItemDelegate):
    """Draws a heading, a conversation with the dot of its state, or a place where words were found."""

    def __init__(self, kit: Kit, parent: QObject) -> None:
        super().__init__(parent)
        self._kit = kit
        self.open = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        space, line = self._kit.theme.space, self._kit.theme.line_height()
        row = index.data(ITEM)
        if isinstance(row, HeadingRow):
            return QSize(80, self._kit.theme.line_height("small") + space.m)
        return QSize(80, (2 * line if isinstance(row, Hit) and row.entry else line) + space.m)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, theme = index.data(ITEM), self._kit.theme
        painter.save()
        area = option.rect.adjusted(theme.space.s, 0, -theme.space.s, 0)
        if isinstance(row, HeadingRow):
            painter.setFont(theme.font("small", bold=True))
            painter.setPen(theme.colour("text_soft"))
            text = self._kit.text(f"window.chat.list_{row.heading.value}")
            painter.drawText(area, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignBottom, text)
        elif (chat := _chat(row)) is not None:
            self._ground(painter, option, chat)
            self._chat(painter, area, row, chat)
        painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, chat: Chat) -> None:
        theme, state = self._kit.theme, option.state
        body = option.rect.adjusted(0, 1, 0, -1)
        radius = theme.tokens.radius.medium
        if chat.id == self.open:
            panel(painter, body, radius, theme.colour("selected"))
        elif state & QStyle.StateFlag.State_MouseOver:
            panel(painter, body, radius, theme.colour("hover"))
        if state & QStyle.StateFlag.State_HasFocus:
            panel(painter, body, radius, None, theme.colour("focus"), 2)

    def _chat(self, painter: QPainter, area: QRect, row: Row, chat: Chat) -> None:
        theme = self._kit.theme
        painter.setFont(theme.font(bold=chat.id == self.open))
        painter.setPen(theme.colour("text"))
        room = area.adjusted(0, 0, -MORE, 0)
        if (colour := DOTS.get(chat.state)) is not None:
            top = area.top() + (theme.line_height() + theme.space.m - DOT) // 2
            dot = QRect(area.left(), top, DOT, DOT)
            panel(painter, dot, DOT / 2, theme.colour(colour))
            room = room.adjusted(DOT + theme.space.s, 0, 0, 0)
        twofold = isinstance(row, Hit) and bool(row.entry)
        line = QRect(room.left(), area.top() + theme.space.m // 2, room.width(), theme.line_height())
        align = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        elide = painter.fontMetrics().elidedText
        painter.drawText(line, align, elide(title_of(self._kit, chat), Qt.TextElideMode.ElideRight, line.width()))
        if twofold and isinstance(row, Hit):
            painter.setFont(theme.font("small"))
            painter.setPen(theme.colour("text_soft"))
            around = " ".join(row.text.split())
            text = painter.fontMetrics().elidedText(around, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line.translated(0, theme.line_height()), align, text)


def _chat(row: Row | None) -> Chat | None:
    if isinstance(row, Hit):
        return row.chat
    return row if isinstance(row, Chat) else None


def _roles(kit: Kit) -> dict[int, Callable[[Row], str]]:
    def name(row: Row) -> str:
        if isinstance(row, HeadingRow):
            return kit.text(f"window.chat.list_{row.heading.value}")
        chat = _chat(row)
        if chat is None:
            return ""
        state = f", {kit.text(f'window.chat.state_{chat.state.value}')}" if chat.state in DOTS else ""
        found = f": {row.text}" if isinstance(row, Hit) and row.entry else ""
        return f"{title_of(kit, chat)}{state}{found}"

    def tip(row: Row) -> str:
        return "" if isinstance(row, HeadingRow) else name(row)

    return {
        Qt.ItemDataRole.DisplayRole: name,
        Qt.ItemDataRole.AccessibleTextRole: name,
        Qt.ItemDataRole.ToolTipRole: tip,
    }
