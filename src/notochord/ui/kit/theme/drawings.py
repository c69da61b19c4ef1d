"""Keeps small drawings, so that a form of many equal controls is drawn once and copied."""

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

MOST = 300
LARGEST = 40_000
"""Device-independent pixels of a drawing that is worth keeping; a larger one is drawn each time."""


class Drawings:
    """At most `MOST` drawings, those that were used last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, QPixmap] = OrderedDict()

    def draw(self, painter: QPainter, area: QRect, what: Hashable, make: Callable[[QPainter, QRect], None]) -> None:
        """Draw `what` into the area: as it was made before in this size and scale, else by `make`."""
        if area.width() * area.height() > LARGEST or area.isEmpty():
            make(painter, area)
            return
        # Of what is drawn on in the end: the device is the widget itself, also where it is rendered into a picture.
        scale = abs(painter.deviceTransform().m11()) or 1.0
        key = (what, area.width(), area.height(), scale)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = _made(area.size(), scale, make)
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        painter.drawPixmap(area.x(), area.y(), found)


def _made(size: QSize, scale: float, make: Callable[[QPainter, QRect], None]) -> QPixmap:
    found = QPixmap(size * scale)
    found.setDevicePixelRatio(scale)
    found.fill(Qt.GlobalColor.transparent)
    painter = QPainter(found)
    make(painter, QRect(0, 0, size.width(), size.height()))
    painter.end()
    return found
