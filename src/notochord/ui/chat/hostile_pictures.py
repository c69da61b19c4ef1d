"""Reads pictures that somebody else made."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

MOST_PIXELS = 2_000
"""The longer side of a picture as it is kept for showing."""
MOST_MEGABYTES = 128
FORMATS = (b"png", b"jpg", b"jpeg", b"gif", b"webp", b"bmp")
"""No SVG: it can hold more than a picture."""


def decoded(content: bytes) -> QImage:
    """Decode a picture that somebody else made: its size is looked at first, and it is scaled while it is read."""
    data = QByteArray(content)
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setAllocationLimit(MOST_MEGABYTES)
    if bytes(reader.format().data()) not in FORMATS:
        return QImage()
    size = reader.size()
    if size.isValid() and max(size.width(), size.height()) > MOST_PIXELS:
        reader.setScaledSize(size.scaled(QSize(MOST_PIXELS, MOST_PIXELS), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()
