"""What a person sees and reads of a widget: its texts, those of its controls, and what of them is cut."""

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QTabBar,
    QTextEdit,
    QWidget,
)

INTERACTIVE = (
    QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractItemView, QPlainTextEdit, QTextEdit, QSlider,
)  # fmt: skip


def visible(root: QWidget) -> Iterator[QWidget]:
    """Yield the widget and all in it that are shown."""
    yield root
    yield from (widget for widget in root.findChildren(QWidget) if widget.isVisibleTo(root))


def texts(widget: QWidget) -> Iterator[str]:
    """Yield what is shown of this widget alone, and what is read out about it."""
    yield widget.toolTip()
    yield widget.accessibleName()
    yield widget.accessibleDescription()
    if isinstance(widget, QLabel) or (isinstance(widget, QAbstractButton) and not isinstance(widget.parent(), QTabBar)):
        yield widget.text()
    elif isinstance(widget, (QLineEdit, QPlainTextEdit, QTextEdit)):
        yield widget.placeholderText()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(at) for at in range(widget.count()))
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(at) for at in range(widget.count()))
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, QMenu):
        yield from (action.text() for action in widget.actions())
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _of_items(widget)
    elif callable(text := getattr(widget, "text", None)):
        yield str(text())
    elif isinstance(text, str):
        yield text


def _of_items(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    columns = 1 if isinstance(view, QListView) else model.columnCount(QModelIndex())
    for row in range(min(model.rowCount(QModelIndex()), 50)):
        for column in range(columns):
            yield str(model.data(model.index(row, column)) or "")
    if not isinstance(view, QListView):
        for column in range(columns):
            yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")


def is_cut(widget: QWidget) -> bool:
    """Tell whether a text that does not give way by itself has less room than it needs."""
    if isinstance(widget, QLabel) and widget.text():
        if widget.wordWrap():
            return widget.height() + 1 < widget.heightForWidth(widget.width())
        return widget.width() + 1 < widget.sizeHint().width()
    if isinstance(widget, QPushButton):
        return bool(widget.text()) and not widget.property("gives_way") and _too_small(widget)
    if type(widget).__name__ in ("Badge", "KeyCaps"):
        return _too_small(widget)
    return False


def _too_small(widget: QWidget) -> bool:
    hint = widget.sizeHint()
    return widget.width() < hint.width() or widget.height() < hint.height()


def has_no_name(widget: QWidget) -> bool:
    """Tell whether a control that can be used would be read out without a name, or without a role."""
    if not isinstance(widget, INTERACTIVE) or isinstance(widget.parent(), (QAbstractSpinBox, QComboBox, QTabBar)):
        return False
    if widget.focusPolicy() is Qt.FocusPolicy.NoFocus or not widget.isEnabled():
        return False
    told = QAccessible.queryAccessibleInterface(widget)
    if told is None:
        return True
    nameless = not told.text(QAccessible.Text.Name).strip()
    return nameless or told.role() in (QAccessible.Role.NoRole, QAccessible.Role.Client)
