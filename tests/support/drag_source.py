"""A program of its own that lets one file be dragged out of its window: python drag_source.py FILE."""

import sys

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel

TITLE = "Files to drag"


class DragSource(QLabel):
    """Starts a drag where the pointer is pressed and moved, as a file manager does."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self._file = file
        self.setWindowTitle(TITLE)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() is Qt.MouseButton.LeftButton:
            dragged = QMimeData()
            dragged.setUrls([QUrl.fromLocalFile(self._file)])
            drag = QDrag(self)
            drag.setMimeData(dragged)
            drag.exec(Qt.DropAction.CopyAction)


if __name__ == "__main__":
    application = QApplication(sys.argv[:1])
    source = DragSource(sys.argv[1])
    source.setGeometry(10, 620, 260, 150)
    source.show()
    sys.exit(application.exec())
