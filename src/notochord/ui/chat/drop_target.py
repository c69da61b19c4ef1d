"""A view of the chat page that takes files and pictures dropped anywhere on it."""

from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from notochord.ui.chat.composer_view import ComposerView
from notochord.ui.kit.controls.lead import Lead


class DropTarget(Lead):
    """Hands what is dropped on it to its composer, and lets the composer show where it lands."""

    composer: ComposerView

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or event.mimeData().hasImage():
            self.composer.await_drop(True)
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.composer.await_drop(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        if self.composer.take(event.mimeData()):
            event.acceptProposedAction()
