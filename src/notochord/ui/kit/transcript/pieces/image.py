"""A picture: a place with its description and host until it was asked for and came, then the picture."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from notochord.ui.kit.transcript.flow import MarkRange
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.pieces.piece import Piece
from notochord.viewmodels.chat.markdown.leaves import Leaf

TALLEST = 480.0
PLACE_HEIGHT = 64.0


class Pictures:
    """The pictures that came, by address; None for one that could not be shown."""

    def __init__(self) -> None:
        self._found: dict[str, QImage | None] = {}

    def put(self, address: str, picture: QImage | None) -> None:
        """Keep a picture, or that there is none."""
        self._found[address] = picture

    def get(self, address: str) -> QImage | None:
        """The picture, if it came."""
        return self._found.get(address)

    def failed(self, address: str) -> bool:
        """Whether it was asked for in vain."""
        return address in self._found and self._found[address] is None


class ImagePiece(Piece):
    """Nothing is loaded here; the button over the place asks for the picture."""

    __slots__ = ("pictures",)

    def __init__(self, leaf: Leaf, look: Look, pictures: Pictures) -> None:
        super().__init__(leaf, look)
        self.pictures = pictures

    @property
    def picture(self) -> QImage | None:
        """The picture, if it came."""
        return self.pictures.get(self.leaf.address)

    def layout(self, width: float) -> float:
        self.width = width
        picture = self.picture
        if picture is None or picture.isNull():
            self.height = PLACE_HEIGHT
        else:
            ratio = picture.devicePixelRatio()
            wide, tall = picture.width() / ratio, picture.height() / ratio
            scale = min(1.0, (width - self.left) / max(1.0, wide), TALLEST / max(1.0, tall))
            self.height = max(1.0, float(round(tall * scale)))
        return self.height

    def paint(self, painter: QPainter, top: float, clip: tuple[float, float], marks: Sequence[MarkRange]) -> None:
        self.paint_around(painter, top)
        picture = self.picture
        if picture is None or picture.isNull():
            self._paint_place(painter, top)
            return
        scale = self.height / max(1.0, picture.height() / picture.devicePixelRatio())
        area = QRectF(self.left, top, picture.width() / picture.devicePixelRatio() * scale, self.height)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, picture)
        for start, end, kind in marks:
            if start < end:
                painter.fillRect(area, self.look.marks[kind].background().color().lighter(100))
                painter.setOpacity(0.6)
                painter.drawImage(area, picture)
                painter.setOpacity(1.0)

    def _paint_place(self, painter: QPainter, top: float) -> None:
        style = self.look.style
        box = self.paint_box(painter, top)
        painter.setPen(self.look.text)
        painter.setFont(self.look.body)
        line = painter.fontMetrics().elidedText(
            self.text.replace("\n", " "), Qt.TextElideMode.ElideRight, round(box.width() - 2 * style.padding)
        )
        painter.drawText(
            QPointF(box.left() + style.padding, top + style.padding + painter.fontMetrics().ascent()), line
        )
