"""The main window: one content at a time, notices above it, and a place on the desktop that it comes back to."""

from PySide6.QtCore import QEvent, QRect, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit
from notochord.ui.shell.commands import CLOSE, QUIT, keys_of
from notochord.ui.shell.monitors import Monitors, area_of, screens
from notochord.ui.shell.notices_view import NoticesView
from notochord.viewmodels.shell.frame import SMALLEST, Frame, Frames
from notochord.viewmodels.shell.notices import Notices


class MainWindow(QWidget):
    """The frame around whatever is shown: a `Shell` with its pages, or setup and start screens alone.

    `left` tells that the user closed it, `quit_wanted` that the program shall end, `activated` whether it is the window
    that the user works in. While `keeps_running` is set, closing hides it instead, which `hidden` tells.
    """

    left = Signal()
    hidden = Signal()
    quit_wanted = Signal()
    activated = Signal(bool)

    def __init__(self, kit: Kit, *, notices: Notices, frames: Frames) -> None:
        super().__init__()
        self.keeps_running = False
        self._frames = frames
        self._content: QWidget | None = None
        self.setWindowTitle(kit.text("window.shell.title"))
        self.setWindowIcon(icon("notochord", kit.theme.colours.accent, 64))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(NoticesView(kit, notices, self))
        for keys, act in ((keys_of(*CLOSE), self.close), (keys_of(*QUIT), self.quit_wanted.emit)):
            for sequence in keys:
                QShortcut(QKeySequence(sequence), self).activated.connect(act)
        self._place_as_before()
        self._monitors = Monitors(self)

    @property
    def content(self) -> QWidget | None:
        return self._content

    def show_content(self, content: QWidget) -> None:
        """Show this and nothing else; what was shown before is destroyed."""
        before, self._content = self._content, content
        if before is not None:
            self._column.removeWidget(before)
            before.hide()
            before.deleteLater()
        self._column.addWidget(content, 1)
        content.show()

    def raise_up(self) -> None:
        """Come to the front, from wherever it was hidden: a second start, the tray and notifications do this."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def leave(self) -> None:
        """Remember the place and go for good without telling: another window in another language comes."""
        self.remember_place()
        self.hide()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.remember_place()
        if self.keeps_running:
            event.ignore()
            self.hide()
            self.hidden.emit()
            return
        event.accept()
        self.left.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange:
            self.activated.emit(self.isActiveWindow())

    def _place_as_before(self) -> None:
        frame = self._frames.restored(screens())
        area = frame.area
        self.setMinimumSize(min(SMALLEST[0], area.width), min(SMALLEST[1], area.height))
        self.setGeometry(QRect(area.x, area.y, area.width, area.height))
        if frame.maximized:
            self.showMaximized()

    def remember_place(self) -> None:
        """Let the next window, of this start or a later one, stand where this one stands."""
        ordinary = self.normalGeometry() if self.isMaximized() or self.isFullScreen() else self.geometry()
        self._frames.keep(Frame(area_of(ordinary), self.isMaximized()))
