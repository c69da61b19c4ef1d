"""A column of readable width in the middle of whatever room there is, for what does not scroll."""

from PySide6.QtWidgets import QHBoxLayout, QLayout, QSizePolicy, QWidget

from notochord.ui.kit.controls.scroll_page import READABLE, readable_width
from notochord.ui.kit.kit import Kit


class Middle(QWidget):
    """Has the content in its middle, at most `widest` pixels wide at the usual size of text, as `ScrollPage` has."""

    def __init__(self, kit: Kit, content: QLayout, *, widest: int = READABLE) -> None:
        super().__init__()
        self._kit, self._widest, self._inner = kit, widest, QWidget()
        self._inner.setLayout(content)
        self._inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(kit.theme.space.xl, 0, kit.theme.space.xl, 0)
        row.addStretch(1)
        row.addWidget(self._inner, 1000)
        row.addStretch(1)
        kit.theme.changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        self._inner.setMaximumWidth(readable_width(self._kit, self._widest))
