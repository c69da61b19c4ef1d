"""The Return key on a focused button: it presses that button, as the space bar does."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton

RETURN_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_BESIDE = Qt.KeyboardModifier.KeypadModifier


def pressed_by_return(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Press the button if the event is Return alone, and tell whether it was; one held down presses once.

    Qt leaves Return to the default button of a dialog, even while the focus is on Cancel, and to nobody elsewhere.
    """
    if event.key() not in RETURN_KEYS or event.modifiers() & ~_BESIDE:
        return False
    event.accept()
    if not event.isAutoRepeat():
        button.click()
    return True
