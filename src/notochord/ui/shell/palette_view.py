"""The command palette: a field and what answers to it, over the page, without a mouse."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QTextLayout
from PySide6.QtWidgets import (
    QApplication,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.search_field import SearchField
from notochord.ui.kit.icons import icon
from notochord.ui.kit.item_model import ITEM, ItemModel
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel, shadow
from notochord.viewmodels.shell.palette import FoundItem, Palette

WIDTH = 600
ROWS = 12
ROWS_OF_NOTHING = 2
DEPTH = 24
ICON = 18
SEARCH_AFTER = 180
"""Milliseconds without a key press after which messages are searched too."""
Index = QModelIndex | QPersistentModelIndex


class PaletteView(QWidget):
    """Covers its parent while it is open; Escape, a click beside it and a choice close it."""

    def __init__(self, kit: Kit, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent)
        self._kit = kit
        self._palette = palette
        self._before: QWidget | None = None
        self._card = QWidget(self)
        space = kit.theme.space
        column = QVBoxLayout(self._card)
        column.setContentsMargins(space.s, space.s, space.s, space.s)
        column.setSpacing(space.s)
        self.field = SearchField(kit, kit.text("window.shell.palette_hint"), self._search)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SEARCH_AFTER)
        self._later.timeout.connect(self.search_messages)
        self.field.installEventFilter(self)
        self.field.setFrame(False)
        column.addWidget(self.field)
        self.list = QListView()
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setAccessibleName(kit.text("window.shell.palette_found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setMinimumHeight(1)  # of its own accord a list is never as low as one row
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        roles = {int(Qt.ItemDataRole.DisplayRole): _title, int(Qt.ItemDataRole.AccessibleTextRole): _title}
        self._model = ItemModel(palette.found, roles, self)
        self._delegate = _Rows(kit, self)
        self.list.setModel(self._model)
        self.list.setItemDelegate(self._delegate)
        self.list.clicked.connect(self._choose)
        column.addWidget(self.list, 1)
        self._nothing = Label(kit, kit.text("window.shell.palette_nothing"), colour="text_soft")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(self._nothing, 1)
        self.setAccessibleName(kit.text("window.shell.palette"))
        self.hide()
        bind_list(self, palette.found, self._found)

    def open_over(self, area: QRect) -> None:
        """Come up empty over this area and take the keyboard; a second call closes it."""
        if self.isVisible():
            self.close_up()
            return
        self._before = QApplication.focusWidget()
        self.field.clear()
        self.follow(area)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._kit.runner.run(self, "command palette", self._palette.open())

    def close_up(self) -> None:
        """Go away and give the keyboard back to where it was."""
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self._before = None

    def follow(self, area: QRect) -> None:
        """Cover this area, with the card in its upper middle."""
        self.setGeometry(area)
        space = self._kit.theme.space
        width = min(WIDTH, area.width() - 2 * space.xl)
        top = max(space.xl, area.height() // 8)
        row = self._kit.theme.line_height() + space.l
        rows = min(ROWS, self._model.rowCount()) or ROWS_OF_NOTHING
        wanted = rows * row + self.field.sizeHint().height() + 3 * space.s
        height = min(wanted, area.height() - top - space.xl)
        self._card.setGeometry((area.width() - width) // 2, top, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the field keep the keyboard while arrow keys go through the list."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._card.geometry().contains(event.position().toPoint()):
            self.close_up()

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        painter = QPainter(self)
        veil = theme.colour("background")
        veil.setAlphaF(0.55)
        painter.fillRect(self.rect(), veil)
        area = QRectF(self._card.geometry())
        shadow(painter, area, theme.tokens.radius.large, DEPTH, 46)
        panel(painter, area, theme.tokens.radius.large, theme.colour("surface"), theme.colour("border"))
        painter.end()

    def _key(self, event: QKeyEvent) -> bool:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
        key = Qt.Key(event.key())
        if key in steps:
            self._step(steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.list.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.close_up()
        else:
            return key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
        return True

    def _search(self, words: str) -> None:
        """Show at once what answers by its title, and soon what does by its text."""
        self._palette.search(words)
        self._later.start()

    def search_messages(self) -> None:
        """Add the messages that hold what is typed."""
        if self.isVisible():
            self._kit.runner.run(self, "search messages", self._palette.search_texts())

    def _step(self, steps: int) -> None:
        count = self._model.rowCount()
        if count:
            at = self.list.currentIndex().row() + steps
            at = at % count if abs(steps) == 1 else max(0, min(count - 1, at))
            self.list.setCurrentIndex(self._model.index(at))

    def _found(self) -> None:
        found = self._model.rowCount() > 0
        self.list.setVisible(found)
        self._nothing.setVisible(not found)
        if found and not self.list.currentIndex().isValid():  # what comes later moves nobody away
            self.list.setCurrentIndex(self._model.index(0))
            self.list.scrollToTop()
        self.follow(self.geometry())
        self.update()

    def _choose(self, index: Index) -> None:
        if index.isValid():
            item = self._model.item(index.row()).item
            self.close_up()
            item.choose()


def _title(found: FoundItem) -> str:
    return found.item.title


class _Rows(QStyledItemDelegate):
    """A row: icon, title with the letters that answer in bold, a soft remark, a shortcut."""

    def __init__(self, kit: Kit, parent: QObject) -> None:
        super().__init__(parent)
        self._kit = kit

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._kit.theme.line_height() + self._kit.theme.space.l)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, found = self._kit.theme, index.data(ITEM)
        if not isinstance(found, FoundItem):
            return
        painter.save()
        area: QRect = option.rect
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            panel(painter, area, theme.tokens.radius.medium, theme.colour("selected"))
        right_to_left = option.direction is Qt.LayoutDirection.RightToLeft
        inner = area.adjusted(theme.space.s, 0, -theme.space.s, 0)
        side = theme.grown(ICON)
        spot = QRect(inner.left(), area.center().y() - side // 2 + 1, side, side)
        if right_to_left:
            spot.moveRight(inner.right())
        icon(found.item.icon or "chevron-right", theme.colours.text_soft, side).paint(painter, spot)
        offset = side + theme.space.m
        inner.adjust(0 if right_to_left else offset, 0, -offset if right_to_left else 0, 0)
        self._write(painter, inner, found)
        painter.restore()

    def _write(self, painter: QPainter, room: QRect, found: FoundItem) -> None:
        theme, item = self._kit.theme, found.item
        soft = QFontMetrics(theme.font("small"))
        aside = self._kit.keys(item.shortcut) if item.shortcut else item.remark
        aside = soft.elidedText(aside, Qt.TextElideMode.ElideRight, room.width() // 2)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("text_soft"))
        right = Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, right, aside)
        plain = theme.font()
        width = room.width() - soft.horizontalAdvance(aside) - theme.space.m
        shown = QFontMetrics(theme.font(bold=True)).elidedText(item.title, Qt.TextElideMode.ElideRight, width)
        self._letters(painter, room, shown, plain, found.places)

    def _letters(self, painter: QPainter, room: QRect, text: str, font: QFont, places: tuple[int, ...]) -> None:
        layout = QTextLayout(text, font)
        formats = []
        for place in places:
            bold = QTextLayout.FormatRange()
            bold.start, bold.length = place, 1
            bold.format.setFontWeight(QFont.Weight.Bold)
            formats.append(bold)
        layout.setFormats(formats)
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(room.width())
        layout.endLayout()
        painter.setPen(self._kit.theme.colour("text"))
        layout.draw(painter, QRectF(room.left(), room.center().y() - line.height() / 2, 0, 0).topLeft())
