"""How long another theme takes with 400 controls on the screen, as a ratio to plain Fusion with another palette.

    QT_QPA_PLATFORM=offscreen python tests/bench/bench_theme_switch.py [ROUNDS]

Both forms hold the same kinds of Qt's controls; the processor time runs until everything is painted in the new colours.
Qt tells widgets of another palette in the loop only: a repaint that is asked for at once would show the old colours,
and everything would be painted several times.
"""

import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QColor, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QToolButton,
    QWidget,
)

from notochord.ui.kit.theme.theme import Theme, ThemeChoice

ROUNDS = 20
CONTROLS = 400
KINDS: tuple[Callable[[], QWidget], ...] = (
    lambda: QLabel("Label"), lambda: QPushButton("Button"), QToolButton, QLineEdit, QComboBox,
    lambda: QCheckBox("Choice"), QSpinBox, lambda: QPushButton("Other"),
)  # fmt: skip


class Page(QWidget):
    """Knows in which colours it was painted last."""

    ground = QColor()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.ground = self.palette().window().color()


def form() -> Page:
    page = Page()
    grid = QGridLayout(page)
    for place in range(CONTROLS):
        grid.addWidget(KINDS[place % len(KINDS)](), place // 20, place % 20)
    page.resize(1600, 900)
    page.show()
    return page


def palette(dark: bool) -> QPalette:
    found = QPalette()
    ground, ink = ("#202020", "#F0F0F0") if dark else ("#F0F0F0", "#202020")
    for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Base, QPalette.ColorRole.Button):
        found.setColor(role, QColor(ground))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        found.setColor(role, QColor(ink))
    return found


def taken(application: QApplication, rounds: int, switch: Callable[[bool], None]) -> float:
    page = form()
    settle(application, lambda: page.ground.isValid())
    times = []
    for at in range(rounds):
        before = page.ground
        started = time.process_time()
        switch(at % 2 == 0)
        settle(application, lambda before=before: page.ground != before)  # type: ignore[misc]
        times.append(time.process_time() - started)
    page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return min(times)


def settle(application: QApplication, done: Callable[[], bool]) -> None:
    """Let the loop run until this is so and nothing is left to do."""
    while not done():
        application.processEvents()
        time.sleep(0.001)
    application.processEvents()


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    application = QApplication([])
    application.setStyle("Fusion")
    floor = taken(application, rounds, lambda dark: application.setPalette(palette(dark)))
    theme = Theme(application, ThemeChoice.LIGHT)
    ours = taken(application, rounds, lambda dark: theme.choose(ThemeChoice.DARK if dark else ThemeChoice.LIGHT))
    print(f"plain Fusion {floor * 1000:6.1f} ms\nthis theme   {ours * 1000:6.1f} ms  {ours / floor:5.2f} x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
