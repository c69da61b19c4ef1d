"""Keeps what has the keyboard in sight: Qt scrolls for the Tab key alone, not for arrow keys or focus that is given."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

MARGIN = 24


class FocusInView(QObject):
    """Belongs to the area; while the user goes by mouse nothing moves under the pointer."""

    def __init__(self, area: QScrollArea) -> None:
        super().__init__(area)
        self._area = area
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)

    def _follow(self, _: QWidget | None, focused: QWidget | None) -> None:
        if focused is None or not self._area.isAncestorOf(focused):
            return
        if focused.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
            self._area.ensureWidgetVisible(focused, 0, MARGIN)
