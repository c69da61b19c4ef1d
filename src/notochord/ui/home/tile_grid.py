"""Tiles side by side, as many in a row as there is room for."""

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from notochord.ui.kit.kit import Kit

NARROWEST = 228
"""Of a tile, at the usual size of text."""


class TileGrid(QWidget):
    """All columns are equally wide; Tab goes through the tiles in their order."""

    def __init__(self, kit: Kit, tiles: Sequence[QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._tiles = list(tiles)
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(kit.theme.space.m)
        self._place(1)
        kit.theme.changed.connect(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        spacing = self._kit.theme.space.m
        narrowest = self._kit.theme.grown(NARROWEST)
        self._place(max(1, (self.width() + spacing) // (narrowest + spacing)))

    def _place(self, columns: int) -> None:
        if columns == self._columns:
            return
        before, self._columns = self._columns, columns
        for at, tile in enumerate(self._tiles):
            self._grid.addWidget(tile, at // columns, at % columns)
        for column in range(max(before, columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
