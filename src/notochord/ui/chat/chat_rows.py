"""How the lines of the list of conversations are drawn and named."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from notochord.ui.chat.dialogs import title_of
from notochord.ui.kit.item_model import ITEM
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel
from notochord.viewmodels.chat.chat_list import HeadingRow, Hit, Row
from notochord.viewmodels.chat.values import Chat, ChatState

Index = QModelIndex | QPersistentModelIndex
DOT = 8
MORE = 26
"""The width of the button that stands over a row."""
ICONS, TEXTS = 10, 48
"""Where in a row the icons and the texts of the sidebar's entries begin, which rows and headings stand in line with."""
ICON = 20
DOTS = {ChatState.ANSWERING: "link", ChatState.WAITING: "warning", ChatState.FAILED: "danger"}


class RowDelegate(QStyledItemDelegate):
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
        area = option.rect.adjusted(ICONS, 0, -theme.space.s, 0)
        if option.direction is Qt.LayoutDirection.RightToLeft:
            area = option.rect.adjusted(theme.space.s, 0, -ICONS, 0)
        if isinstance(row, HeadingRow):
            painter.setFont(theme.font("small", bold=True))
            painter.setPen(theme.colour("text_soft"))
            text = self._kit.text(f"window.chat.list_{row.heading.value}")
            painter.drawText(area, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignBottom, text)
        elif (chat := chat_of(row)) is not None:
            self._ground(painter, option, chat)
            self._chat(painter, option, row, chat)
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

    def _chat(self, painter: QPainter, option: QStyleOptionViewItem, row: Row, chat: Chat) -> None:
        theme, area = self._kit.theme, option.rect
        painter.setFont(theme.font(bold=chat.id == self.open))
        painter.setPen(theme.colour("text"))
        if (colour := DOTS.get(chat.state)) is not None:
            top = area.top() + (theme.line_height() + theme.space.m - DOT) // 2
            dot = QRect(area.left() + ICONS + (ICON - DOT) // 2, top, DOT, DOT)
            panel(painter, QStyle.visualRect(option.direction, area, dot), DOT / 2, theme.colour(colour))
        room = QStyle.visualRect(option.direction, area, area.adjusted(TEXTS, 0, -MORE - theme.space.s, 0))
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


def chat_of(row: Row | None) -> Chat | None:
    """Return the conversation of a line, None for a heading."""
    if isinstance(row, Hit):
        return row.chat
    return row if isinstance(row, Chat) else None


def roles(kit: Kit) -> dict[int, Callable[[Row], str]]:
    """Return what a line answers for each of Qt's roles."""

    def name(row: Row) -> str:
        if isinstance(row, HeadingRow):
            return kit.text(f"window.chat.list_{row.heading.value}")
        chat = chat_of(row)
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
