"""How standard controls are drawn: Fusion's behaviour with our own panels, frames, focus rings and indicators."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleFactory, QStyleOption, QStyleOptionButton, QWidget

from notochord.ui.kit.theme.tokens import Colours, Tokens


class NotochordStyle(QProxyStyle):
    """Draws what gives the window its look; everything else is Fusion's."""

    def __init__(self, tokens: Tokens, colours: Colours) -> None:
        super().__init__(QStyleFactory.create("Fusion"))
        self._tokens = tokens
        self._colours = colours

    def set_colours(self, colours: Colours) -> None:
        """Draw in these colours from the next painting on."""
        self._colours = colours

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Draw our panels and frames; the rest as Fusion does."""
        kind = QStyle.PrimitiveElement
        if element == kind.PE_FrameFocusRect:
            self._focus_ring(option, painter)
        elif element == kind.PE_PanelButtonCommand and isinstance(option, QStyleOptionButton):
            self._button(option, painter, widget)
        elif element == kind.PE_PanelLineEdit:
            self._field(option, painter)
        else:
            super().drawPrimitive(element, option, painter, widget)

    def _focus_ring(self, option: QStyleOption, painter: QPainter) -> None:
        self._panel(painter, QRectF(option.rect).adjusted(1, 1, -1, -1), None, self._colours.focus, 2)

    def _button(self, option: QStyleOptionButton, painter: QPainter, widget: QWidget | None) -> None:
        colours, state = self._colours, option.state
        primary = bool(widget and widget.property("primary"))
        danger = bool(widget and widget.property("danger"))
        over = bool(state & QStyle.StateFlag.State_MouseOver)
        enabled = bool(state & QStyle.StateFlag.State_Enabled)
        fill, line = (colours.hover if over else colours.raised), colours.border
        if primary and enabled:
            fill = line = colours.accent_hover if over else colours.accent
        elif danger and enabled:
            fill = line = colours.danger
        if state & QStyle.StateFlag.State_Sunken:
            fill = colours.border if not primary else colours.accent_hover
        self._panel(painter, QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), fill, line, 1)

    def _field(self, option: QStyleOption, painter: QPainter) -> None:
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        line, width = (self._colours.focus, 2) if focused else (self._colours.border_strong, 1)
        half = width / 2
        self._panel(painter, QRectF(option.rect).adjusted(half, half, -half, -half), self._colours.surface, line, width)

    def _panel(self, painter: QPainter, area: QRectF, fill: str | None, line: str, width: float) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(line), width))
        painter.setBrush(QColor(fill) if fill else Qt.BrushStyle.NoBrush)
        radius = self._tokens.radius.medium
        painter.drawRoundedRect(area, radius, radius)
        painter.restore()
