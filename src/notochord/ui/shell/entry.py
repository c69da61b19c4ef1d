"""One row of the sidebar: an icon that stays in its column, and a text beside it while there is room."""

from collections.abc import Callable

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from notochord.ui.kit.controls.badges import draw_count
from notochord.ui.kit.enter import pressed_by_enter
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import focus_by_keyboard, panel

ICON = 20


class Entry(QAbstractButton):
    """Goes to a page. Grey is not off: a click still tells where to go (SETUP-051)."""

    def __init__(
        self, kit: Kit, icon_name: str, text: str, on_click: Callable[[], None], *, column: int,
        parent: QWidget | None = None, remark: str = "",
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self._icon_name = icon_name
        self._column = column
        self._remark = remark
        self._chosen = False
        self._grey = False
        self._count = 0
        self.setText(text)
        self.setAccessibleName(text)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew when the pointer comes and goes
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(lambda _=False: on_click())
        kit.theme.changed.connect(self.updateGeometry)

    @property
    def chosen(self) -> bool:
        return self._chosen

    @property
    def grey(self) -> bool:
        return self._grey

    def choose(self, chosen: bool) -> None:
        """Show that this is where the user is."""
        self._chosen = chosen
        self.update()

    def set_grey(self, grey: bool) -> None:
        """Show that something is missing before this can be used."""
        self._grey = grey
        self.update()

    def set_count(self, count: int, description: str) -> None:
        """Show how much waits here; assistive technology reads `description`."""
        self._count = count
        self.setAccessibleDescription(description if count else "")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._column, max(36, self._kit.theme.line_height() + self._kit.theme.space.l))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        colours, space = self._kit.theme.colours, self._kit.theme.space
        painter = QPainter(self)
        area = self.rect().adjusted(space.s, 1, -space.s, -1)
        fill = colours.selected if self._chosen else colours.hover if self.underMouse() else None
        panel(painter, area, self._kit.theme.tokens.radius.medium, fill)
        if focus_by_keyboard(self):
            panel(painter, area, self._kit.theme.tokens.radius.medium, None, colours.focus, 2)
        ink = colours.text_disabled if self._grey else colours.text if self._chosen else colours.text_soft
        side = min(self._kit.theme.grown(ICON), self._column - 2 * space.m)
        glyph = QRect((self._column - side) // 2, (self.height() - side) // 2, side, side)
        icon(self._icon_name, ink, side).paint(painter, self._mirrored(glyph))
        self._write(painter, colours.text_disabled if self._grey else colours.text)
        self._mark(painter, glyph)
        painter.end()

    def _write(self, painter: QPainter, ink: str) -> None:
        room = QRect(self._column, 0, self.width() - self._column - self._kit.theme.space.l, self.height())
        if room.width() < self._kit.theme.space.xl:
            return
        painter.setFont(self._kit.theme.font(bold=self._chosen))
        painter.setPen(self._kit.theme.colour("text") if not self._grey else self._kit.theme.colour("text_disabled"))
        left = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self._mirrored(room), left | Qt.TextFlag.TextSingleLine, self.text())
        if self._remark and room.width() > 2 * self._column:
            painter.setFont(self._kit.theme.font("small"))
            painter.setPen(self._kit.theme.colour("text_soft"))
            right = Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(self._mirrored(room), right | Qt.TextFlag.TextSingleLine, self._remark)

    def _mark(self, painter: QPainter, glyph: QRect) -> None:
        """Draw the count at the upper corner of the icon, where it is seen in the narrow sidebar too."""
        if self._count:
            corner = self._mirrored(QRect(glyph.right() - 5, glyph.top() - 7, 16, 16))
            draw_count(painter, self._kit, QRectF(corner), self._count)

    def _mirrored(self, area: QRect) -> QRect:
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            area.moveLeft(self.width() - area.right() - 1)
        return area
