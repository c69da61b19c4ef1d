"""Lets Tab go through controls where they are seen: Qt puts widgets that are made later behind all others."""

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QWidget


def put_in_order(layout: QLayout) -> None:
    """Let Tab reach what stands in the layout, and in the widgets in it, one after the other."""
    reached = [widget for widget in widgets_in(layout) if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
    for before, after in pairwise(reached):
        QWidget.setTabOrder(before, after)


def widgets_in(layout: QLayout) -> list[QWidget]:
    """Return the widgets of a layout in their order, with those that stand in widgets of it."""
    found: list[QWidget] = []
    for at in range(layout.count()):
        item = layout.itemAt(at)
        widget, inner = (item.widget(), item.layout()) if item is not None else (None, None)
        if widget is not None:
            found.append(widget)
            inner = widget.layout()
        if inner is not None:
            found += widgets_in(inner)
    return found
