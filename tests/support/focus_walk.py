"""Walks through a window with Tab, as somebody without a mouse does."""

from itertools import pairwise

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from support.patient_bot import PATIENCE

MOST_STEPS = 200
SAME_ROW = 24


def shown(qtbot: QtBot, widget: QWidget, width: int = 1100, height: int = 760) -> QWidget:
    """Show the widget as the window that the user works in."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    with qtbot.waitExposed(widget, timeout=PATIENCE):
        widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    return widget


def walk(window: QWidget) -> list[QWidget]:
    """Show the window and press Tab until it comes round; return the widgets that had the focus, in order."""
    window.show()
    QTest.qWaitForWindowActive(window, PATIENCE)
    window.setFocus()
    reached: list[QWidget] = []
    for _ in range(MOST_STEPS):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        if widget is None or widget in reached:
            return reached
        reached.append(widget)
    raise AssertionError("Tab never came round")


def names_walked(window: QWidget) -> list[str]:
    """Return the names of what Tab comes to, in order."""
    return [name_of(widget) for widget in walk(window)]


def name_of(widget: QWidget) -> str:
    """Return the name by which assistive technology calls the widget."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""


def out_of_order(widgets: list[QWidget], window: QWidget) -> list[tuple[str, str]]:
    """Return the pairs in which Tab goes up, or to the left in the same row."""
    wrong = []
    for before, after in pairwise(widgets):
        first, second = (widget.mapTo(window, widget.rect().center()) for widget in (before, after))
        if _is_before(second, first):
            wrong.append((name_of(before), name_of(after)))
    return wrong


def _is_before(one: QPoint, other: QPoint) -> bool:
    if abs(one.y() - other.y()) <= SAME_ROW:
        return one.x() < other.x()
    return one.y() < other.y()
