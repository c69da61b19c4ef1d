"""Lets Tab go through controls where they are seen: Qt puts widgets that are made later behind all others."""

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QWidget


class TabPlace(QWidget):
    """Keeps its place in the order of Tab for controls that are made later, perhaps again and again; it is not seen."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # else Qt puts nothing behind it
        self.hide()

    def take(self, layout: QLayout) -> None:
        """Let Tab reach here what stands in the layout."""
        _chain(self, *widgets_in(layout))


def put_in_order(layout: QLayout) -> None:
    """Let Tab reach what stands in the layout, and in the widgets in it, one after the other."""
    _chain(*widgets_in(layout))


def _chain(*widgets: QWidget) -> None:
    reached = [widget for widget in widgets if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
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
