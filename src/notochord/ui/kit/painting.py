"""Small drawings that several controls share."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget


def panel(
    painter: QPainter, area: QRect | QRectF, radius: float, fill: QColor | str | None = None,
    line: QColor | str | None = None, width: float = 1.0,
) -> None:  # fmt: skip
    """Draw a rounded rectangle whose outline lies inside `area`."""
    half = width / 2 if line else 0.0
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(line), width) if line else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(fill) if fill else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(area).adjusted(half, half, -half, -half), radius, radius)
    painter.restore()


def strokes(painter: QPainter, colour: QColor | str, width: float, *points: tuple[float, float]) -> None:
    """Draw a line through the points, with round ends."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    path = QPainterPath(QPointF(*points[0]))
    for point in points[1:]:
        path.lineTo(QPointF(*point))
    painter.drawPath(path)
    painter.restore()


def shadow(painter: QPainter, area: QRectF, radius: float, depth: int, darkness: int) -> None:
    """Draw a soft shadow around `area`, `depth` pixels wide; `darkness` is its alpha at the edge, 0 to 255.

    Rings lie one over the other, so each adds only what its own distance gets more than the one outside it.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    told = 0.0
    for step in range(depth, 0, -1):
        wanted = darkness * (1 - step / (depth + 1)) ** 2
        painter.setBrush(QColor(0, 0, 0, round(wanted - told)))
        told += round(wanted - told)
        grown = area.adjusted(-step, -step, step, step).translated(0, depth / 4)
        painter.drawRoundedRect(grown, radius + step, radius + step)
    painter.restore()


def focus_by_keyboard(widget: QWidget) -> bool:
    """Tell whether the widget has the focus and the user goes by keyboard, so that a ring has to be seen."""
    return widget.hasFocus() and widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
