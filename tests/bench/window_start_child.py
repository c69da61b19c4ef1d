"""A window in a fresh process that tells when it can be used: `bare`, or `notochord HOME` (for bench_window_start).

Prints two clock readings: when the first screen was painted and a key press answered, and when the services were open.
"""

import sys
import time
from pathlib import Path

if sys.argv[1] != "bare":  # as the program does before it loads Qt
    from notochord.app.desktop.probe import missing_for_windows

    missing_for_windows({"QT_QPA_PLATFORM": "offscreen"})

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget


class Usable(QObject):
    """Presses a key after the first painting of `screen`, and tells when the press was answered."""

    def __init__(self, screen: str) -> None:
        super().__init__()
        self._screen = screen
        self._pressed = False
        self.at = 0.0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind is QEvent.Type.Paint and not self._pressed and self._screen in names(watched):
            self._pressed = True
            QTimer.singleShot(0, watched, lambda: self._press(watched))
        elif kind is QEvent.Type.KeyPress and self._pressed and not self.at:
            QTimer.singleShot(0, self, self._answered)
        return False

    def _press(self, watched: QObject) -> None:
        assert isinstance(watched, QWidget)
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
            QCoreApplication.postEvent(watched.window(), event)

    def _answered(self) -> None:
        self.at = time.monotonic()


def names(watched: QObject) -> set[str]:
    """Return the classes of what is painted and of all that it is a part of."""
    found: set[str] = set()
    one: QObject | None = watched
    while one is not None:
        found.add(type(one).__name__)
        one = one.parent()
    return found


def bare() -> None:
    application = QApplication([])
    usable = Usable("Bare")
    application.installEventFilter(usable)
    window = Bare()
    window.resize(1120, 760)
    window.show()
    while not usable.at:
        application.processEvents()
    print(usable.at, usable.at)


class Bare(QWidget):
    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.addWidget(QLabel("A window"))


def notochord(home: str) -> None:
    from notochord.app.desktop import application, workplace

    usable = Usable("HomePage")
    made = application.make_application

    def make_application() -> QApplication:
        application = made()
        application.installEventFilter(usable)
        return application

    begin = workplace.Workplace.begin

    async def begun(self: workplace.Workplace, *given: object, **named: object) -> None:
        await begin(self, *given, **named)  # type: ignore[arg-type]
        print(usable.at, time.monotonic())
        self._stage.left()

    application.make_application = make_application
    workplace.Workplace.begin = begun  # type: ignore[method-assign]
    from notochord.app.desktop.door import DesktopWindows
    from notochord.core.paths import Home

    sys.exit(DesktopWindows().desktop(Home(Path(home)), "", "en"))


if __name__ == "__main__":
    bare() if sys.argv[1] == "bare" else notochord(sys.argv[2])
