"""Goes through a window with the Tab key, as somebody without a mouse does."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


def shown(qtbot: QtBot, widget: QWidget, width: int = 1100, height: int = 760) -> QWidget:
    """Show the widget as the window that the user works in."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    return widget


def walk(window: QWidget, most: int = 60) -> list[str]:
    """Return the accessible names of what Tab comes to, from where the keyboard is, until it comes round."""
    met: list[QWidget] = []
    now: QWidget | None = window.focusWidget()
    while len(met) < most and now not in met:
        if now is not None:
            met.append(now)
        QTest.keyClick(window if now is None else now, Qt.Key.Key_Tab)
        now = window.focusWidget()
    return [one.accessibleName() or str(getattr(one, "text", lambda: "")()) for one in met]
