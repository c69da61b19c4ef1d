"""Line icons from `resources/icons`, drawn in a colour of the theme at any size."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from notochord.core.paths import shipped

SCALES = (1, 2)
KEPT = 400
PLACEHOLDER = b"currentColor"


@lru_cache(KEPT)
def icon(name: str, colour: str, size: int = 20) -> QIcon:
    """Return the icon `name` in `colour` (#RRGGBB), `size` device-independent pixels square. Raises OSError."""
    source = (shipped("resources") / "icons" / f"{name}.svg").read_bytes().replace(PLACEHOLDER, colour.encode())
    renderer = QSvgRenderer(QByteArray(source))
    found = QIcon()
    for scale in SCALES:
        picture = QPixmap(QSize(size, size) * scale)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        renderer.render(painter, QRectF(0, 0, size * scale, size * scale))
        painter.end()
        picture.setDevicePixelRatio(scale)
        found.addPixmap(picture)
    return found
