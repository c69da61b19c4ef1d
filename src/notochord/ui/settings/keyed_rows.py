"""Keeps one widget for each item of a list, by key: a change of one item leaves focus and text of the others alone."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.core.observable import ObservableList
from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.first_stop import first_stop

Item = TypeVar("Item")
View = TypeVar("View", bound=QWidget)


class KeyedRows(QWidget, Generic[Item, View]):
    """A column of widgets in the order of the items; `show(view, item)` brings one up to date."""

    def __init__(
        self,
        items: ObservableList[Item],
        *,
        key: Callable[[Item], Hashable],
        make: Callable[[Item], View],
        show: Callable[[View, Item], None],
        spacing: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._items, self._key, self._make, self._show = items, key, make, show
        self.views: dict[Hashable, View] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(spacing)
        bind_list(self, items, self._follow)

    def _follow(self) -> None:
        wanted = {self._key(item): item for item in self._items}
        orphaned = False
        for gone in self.views.keys() - wanted.keys():
            view = self.views.pop(gone)
            orphaned = orphaned or _holds_keyboard(view)
            self._column.removeWidget(view)
            view.hide()
            view.deleteLater()
        moved = False
        for at, (key, item) in enumerate(wanted.items()):
            if key not in self.views:
                self.views[key] = self._make(item)
            if self._column.indexOf(self.views[key]) != at:
                self._column.insertWidget(at, self.views[key])
                moved = True
            self._show(self.views[key], item)
        self.setVisible(bool(wanted))
        if moved:
            self._put_in_tab_order()
        if orphaned:
            self._adopt_keyboard()

    def _adopt_keyboard(self) -> None:
        """Let what stands where the removed row stood have the keyboard: another row, else what comes after them."""
        heir = first_stop(self) or _next_stop(self)
        if heir is not None:
            heir.setFocus()

    def _put_in_tab_order(self) -> None:
        """Let Tab reach the rows where they are seen: Qt puts widgets that are made later behind all others."""
        before = _reached_before(self)
        if before is None:
            return
        for at in range(self._column.count()):
            item = self._column.itemAt(at)
            row = item.widget() if item is not None else None
            for widget in row.findChildren(QWidget) if row is not None else ():
                if _is_reached(widget) and widget.window() is self.window():  # not in the popup of a list
                    QWidget.setTabOrder(before, widget)
                    before = widget


def _reached_before(rows: QWidget) -> QWidget | None:
    """Return the widget outside of the rows from which Tab leads to them; None if there is none."""
    before = rows.previousInFocusChain()
    while before is not None and before is not rows and (not _is_reached(before) or rows.isAncestorOf(before)):
        before = before.previousInFocusChain()
    return None if before is rows else before


def _next_stop(rows: QWidget) -> QWidget | None:
    """Return what Tab reaches after the rows, of what can be used now."""
    after = rows.nextInFocusChain()
    while after is not None and after is not rows:
        if _is_reached(after) and after.isVisible() and after.isEnabled() and not rows.isAncestorOf(after):
            return after
        after = after.nextInFocusChain()
    return None


def _holds_keyboard(view: QWidget) -> bool:
    focused = view.window().focusWidget()
    return focused is not None and (focused is view or view.isAncestorOf(focused))


def _is_reached(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
