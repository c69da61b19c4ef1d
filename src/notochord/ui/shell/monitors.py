"""Keeps a window in reach, and in the scale of the monitor that it is on, when monitors come and go (fault M2)."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QTimer
from PySide6.QtGui import QGuiApplication, QScreen, QWindow
from PySide6.QtWidgets import QWidget

from notochord.viewmodels.shell.frame import Area, Frame, in_reach, placed

X11 = "xcb"


class Monitors(QObject):
    """Watches the monitors for one window of the desktop, as long as that window lives."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._settle)
        window.installEventFilter(self)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.screenAdded.connect(self._added)
            application.screenRemoved.connect(self._later.start)
        for screen in QGuiApplication.screens():
            self._watch(screen)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A window that was hidden meanwhile is looked after as it comes up."""
        if event.type() is QEvent.Type.Show:
            self._later.start()
        return super().eventFilter(watched, event)

    def _added(self, screen: QScreen) -> None:
        self._watch(screen)
        self._later.start()

    def _watch(self, screen: QScreen) -> None:
        screen.availableGeometryChanged.connect(self._later.start)

    def _settle(self) -> None:
        window, handle = self._window, self._window.windowHandle()
        if handle is None or not window.isVisible() or window.isMinimized() or _places_are_secret():
            return
        if not window.isMaximized() and not window.isFullScreen():
            area, monitors = area_of(window.geometry()), screens()
            if not in_reach(area, monitors):
                wanted = placed(Frame(area), monitors).area
                window.setGeometry(QRect(wanted.x, wanted.y, wanted.width, wanted.height))
                return
        if QGuiApplication.platformName() == X11 and _is_elsewhere(handle):
            # X tells Qt of a window's monitor only with its place: without a step it would keep the other's scale.
            handle.setFramePosition(handle.framePosition() + QPoint(1, 0))


def _places_are_secret() -> bool:
    """On Wayland nobody is told where a window is, and the compositor alone looks after it."""
    return QGuiApplication.platformName().startswith("wayland")


def _is_elsewhere(window: QWindow) -> bool:
    """Tell whether the middle of a window is on another monitor than the one whose scale it has.

    On X a monitor's corner is in pixels of the hardware, and all else counts from there in pixels of its own.
    """
    own = window.screen()
    corner, scale = own.geometry().topLeft(), own.devicePixelRatio()
    middle = corner + (window.geometry().center() - corner) * scale
    for screen in QGuiApplication.screens():
        area, scale = screen.geometry(), screen.devicePixelRatio()
        if QRect(area.topLeft(), area.size() * scale).contains(middle):
            return screen is not own
    return False


def screens() -> tuple[Area, ...]:
    """Return what windows may cover on each monitor, the main one first."""
    main = QGuiApplication.primaryScreen()
    ordered = sorted(QGuiApplication.screens(), key=lambda screen: screen is not main)
    return tuple(area_of(screen.availableGeometry()) for screen in ordered)


def area_of(found: QRect) -> Area:
    """Return a rectangle of the desktop as view-models know it."""
    return Area(found.x(), found.y(), found.width(), found.height())
