"""Where the keyboard begins in a part of a window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def first_stop(part: QWidget) -> QWidget | None:
    """Return the first widget inside that Tab would stop at; None if there is none now."""
    one = part.nextInFocusChain()
    while one is not None and one is not part:
        if part.isAncestorOf(one) and _stops(one):
            return one
        one = one.nextInFocusChain()
    return None


def _stops(widget: QWidget) -> bool:
    by_tab = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    return bool(by_tab) and widget.isVisible() and widget.isEnabled()
