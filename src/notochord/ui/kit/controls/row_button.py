"""A row that is pressed as a whole: an icon, a line, a soft line below it, an arrow."""

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QStyle, QWidget

from notochord.ui.kit.enter import pressed_by_enter
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import focus_by_keyboard, panel
from notochord.ui.kit.unseen import shown

ICON = 18


class RowButton(QAbstractButton):
    """Leads somewhere; the whole of its two lines is the tool tip if there is no room for them."""

    def __init__(
        self, kit: Kit, icon_name: str, text: str, remark: str, on_click: Callable[[], None],
        parent: QWidget | None = None, *, colour: str = "text_soft",
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self._icon_name = icon_name
        self._remark = shown(remark)
        self._colour = colour
        self.setText(shown(text))
        self.setAccessibleName(f"{text}, {remark}" if remark else text)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew when the pointer comes and goes
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda _=False: on_click())
        kit.theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        line, small = self._kit.theme.line_height(), self._kit.theme.line_height("small")
        below = small + 2 if self._remark else 0
        return QSize(240, line + below + 2 * self._kit.theme.space.m)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        painter = QPainter(self)
        radius = theme.tokens.radius.medium
        ground = self.rect().adjusted(4, 4, -4, -4)
        if self.isDown() or self.underMouse():
            panel(painter, ground, radius, theme.colour("pressed" if self.isDown() else "hover"))
        if focus_by_keyboard(self):
            panel(painter, ground, radius, None, theme.colour("focus"), 2)
        inner = self.rect().adjusted(theme.space.l, theme.space.m, -theme.space.l, -theme.space.m)
        side = theme.grown(ICON)
        self._icon(painter, inner, QRect(inner.left(), 0, side, side), self._icon_name, self._colour)
        right_to_left = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        arrow = "chevron-left" if right_to_left else "chevron-right"
        self._icon(painter, inner, QRect(inner.right() - side, 0, side, side), arrow, "text_soft")
        self._texts(painter, inner.adjusted(side + theme.space.m, 0, -side - theme.space.s, 0))
        painter.end()

    def _texts(self, painter: QPainter, room: QRect) -> None:
        theme = self._kit.theme
        align = QStyle.visualAlignment(self.layoutDirection(), Qt.AlignmentFlag.AlignLeft)
        room = self._mirrored(room)
        line = theme.line_height()
        cut = False
        lines = [(self.text(), theme.font(), "text", room.top(), line)]
        if self._remark:
            small = theme.line_height("small")
            lines.append((self._remark, theme.font("small"), "text_soft", room.bottom() - small + 1, small))
        for text, font, colour, top, height in lines:
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            cut = cut or shown != text
            painter.setFont(font)
            painter.setPen(theme.colour(colour))
            painter.drawText(
                QRect(room.left(), top, room.width(), height), align | Qt.AlignmentFlag.AlignVCenter, shown
            )
        self.setToolTip("\n".join(text for text, *_ in lines) if cut else "")

    def _icon(self, painter: QPainter, inner: QRect, spot: QRect, name: str, colour: str) -> None:
        spot.moveTop(inner.center().y() - spot.height() // 2 + 1)
        icon(name, getattr(self._kit.theme.colours, colour), spot.width()).paint(painter, self._mirrored(spot))

    def _mirrored(self, area: QRect) -> QRect:
        return QStyle.visualRect(self.layoutDirection(), self.rect(), area)
