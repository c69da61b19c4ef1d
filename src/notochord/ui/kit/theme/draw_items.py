"""How rows of lists and tables, menus, headers and group boxes are drawn."""

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath
from PySide6.QtWidgets import (
    QStyle,
    QStyleOption,
    QStyleOptionGroupBox,
    QStyleOptionHeader,
    QStyleOptionMenuItem,
    QStyleOptionViewItem,
)

from notochord.ui.kit.theme.look import Look, State, faded, has
from notochord.ui.kit.theme.measures import MARK, grown

"""Room for the check mark of a menu's item."""


def row(look: Look, option: QStyleOptionViewItem, painter: QPainter) -> None:
    """Draw the ground of a row, or of its part in one column: under the pointer, and chosen."""
    colours = look.colours
    if has(option, State.State_Selected):
        fill = colours.accent_soft if has(option, State.State_Active) else colours.selected
    elif has(option, State.State_MouseOver) and has(option, State.State_Enabled):
        fill = colours.hover
    else:
        return
    place, area = option.ViewItemPosition, QRectF(option.rect).adjusted(0, 1, 0, -1)
    if option.viewItemPosition in (place.Invalid, place.OnlyOne):
        look.panel(painter, area, fill)
        return
    painter.save()
    painter.setClipRect(area)
    first, last = option.viewItemPosition == place.Beginning, option.viewItemPosition == place.End
    look.panel(painter, area.adjusted(0 if first else -20, 0, 0 if last else 20, 0), fill)
    painter.restore()


def menu_item(look: Look, option: QStyleOptionMenuItem, painter: QPainter) -> None:
    """Draw an entry of a menu: check mark or icon, text, shortcut, arrow of a menu below it."""
    colours, kind, area = look.colours, option.MenuItemType, QRect(option.rect)
    if option.menuItemType == kind.Separator:
        middle = area.center().y()
        painter.fillRect(area.left() + 8, middle, area.width() - 16, 1, QColor(colours.border))
        return
    able = has(option, State.State_Enabled)
    if has(option, State.State_Selected) and able:
        look.panel(painter, area, colours.selected)
    ink = colours.text if able else colours.text_disabled
    flipped = option.direction is Qt.LayoutDirection.RightToLeft
    inner = area.adjusted(8, 0, -10, 0)
    if option.menuHasCheckableItems or not option.icon.isNull() or option.maxIconWidth:
        side = grown(MARK, option.font)
        spot = QRect(inner.left(), area.center().y() - side // 2 + 1, side, side)
        inner.setLeft(inner.left() + side + 8)
        _mark(look, option, painter, QStyle.visualRect(option.direction, area, spot), ink)
    if option.menuItemType == kind.SubMenu:
        spot = QRect(inner.right() - 8, area.top(), 10, area.height())
        arrow = Qt.ArrowType.LeftArrow if flipped else Qt.ArrowType.RightArrow
        look.chevron(painter, QStyle.visualRect(option.direction, area, spot), arrow, colours.text_soft)
    _menu_text(look, option, painter, QStyle.visualRect(option.direction, area, inner), ink)


def _mark(look: Look, option: QStyleOptionMenuItem, painter: QPainter, spot: QRect, ink: str) -> None:
    if option.checked:
        look.tick(painter, QRectF(spot), look.colours.accent)
    elif not option.icon.isNull():
        option.icon.paint(painter, spot)


def _menu_text(look: Look, option: QStyleOptionMenuItem, painter: QPainter, room: QRect, ink: str) -> None:
    text, _, keys = option.text.partition("\t")
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextHideMnemonic
    painter.save()
    painter.setFont(option.font)
    painter.setPen(QColor(ink))
    painter.drawText(room, QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignLeft) | flags, text)
    if keys:
        painter.setPen(QColor(look.colours.text_soft))
        painter.drawText(room, QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignRight) | flags, keys)
    painter.restore()


def header_section(look: Look, option: QStyleOption, painter: QPainter) -> None:
    """Draw the ground of a column's head: flat, with a line below."""
    painter.fillRect(option.rect, QColor(look.colours.surface))
    line = QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1)
    painter.fillRect(line, QColor(look.colours.border))


def header_label(look: Look, option: QStyleOptionHeader, painter: QPainter) -> None:
    """Draw the name of a column, softly, over the texts of its rows."""
    painter.save()
    painter.setPen(QColor(look.colours.text_soft))
    room = option.rect.adjusted(8, 0, -8, 0)
    sorted_by = option.sortIndicator != option.SortIndicator.None_
    if sorted_by:
        spot = QStyle.visualRect(option.direction, room, QRect(room.right() - 12, room.top(), 12, room.height()))
        down = option.sortIndicator == option.SortIndicator.SortDown
        arrow = Qt.ArrowType.DownArrow if down else Qt.ArrowType.UpArrow
        look.chevron(painter, spot, arrow, look.colours.text_soft)
        room = QStyle.visualRect(option.direction, room, room.adjusted(0, 0, -16, 0))
    text = option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, room.width())
    # Qt centres the names of columns unless told otherwise; over rows that begin at an edge they shall begin there too.
    trailing = option.textAlignment & (Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTrailing)
    edge = Qt.AlignmentFlag.AlignRight if trailing else Qt.AlignmentFlag.AlignLeft
    align = QStyle.visualAlignment(option.direction, edge)
    painter.drawText(room, align | Qt.AlignmentFlag.AlignVCenter, text)
    painter.restore()


def group_box(look: Look, option: QStyleOptionGroupBox, painter: QPainter, frame: QRect, label: QRect) -> None:
    """Draw a group: its title above a rounded panel."""
    look.panel(painter, frame, look.colours.raised, look.colours.border, radius=look.tokens.radius.large - 2)
    if option.text:
        painter.save()
        font = QFont(painter.font())
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        ink = look.colours.text if has(option, State.State_Enabled) else look.colours.text_disabled
        painter.setPen(QColor(ink))
        align = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignLeft)
        painter.drawText(label, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextHideMnemonic, option.text)
        painter.restore()


def popup(look: Look, area: QRect, painter: QPainter, *, square: bool = False) -> None:
    """Draw the ground of a menu, a tool tip or the list of a combo box."""
    radius = 0 if square else look.radius + 1
    look.panel(painter, area, look.colours.popup, look.colours.border_popup, radius=radius)


def branch(look: Look, area: QRect, painter: QPainter, *, opened: bool, right_to_left: bool) -> None:
    """Draw the arrow of a tree's row."""
    closed = Qt.ArrowType.LeftArrow if right_to_left else Qt.ArrowType.RightArrow
    look.chevron(painter, area, Qt.ArrowType.DownArrow if opened else closed, look.colours.text_soft)


def splitter(look: Look, area: QRect, painter: QPainter, *, upright: bool, over: bool) -> None:
    """Draw the line between two panes."""
    line = QRect(area.center().x(), area.top(), 1, area.height())
    if not upright:
        line = QRect(area.left(), area.center().y(), area.width(), 1)
    painter.fillRect(line, QColor(look.colours.border_strong if over else look.colours.border))


def rubber_band(look: Look, area: QRect, painter: QPainter) -> None:
    """Draw the rectangle that chooses by dragging."""
    path = QPainterPath(QPoint(0, 0))
    path.addRect(QRectF(area))
    painter.fillPath(path, faded(look.colours.accent, 0.18))
