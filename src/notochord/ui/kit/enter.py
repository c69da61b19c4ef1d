"""Enter presses a button as the space bar does; Qt leaves that to the desktop, and most have no opinion."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def pressed_by_enter(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Press the button if the key is Enter, once while it is held; tell whether there is nothing left to do.

    What the press does may destroy the button: nothing may be done with it afterwards.
    """
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if event.key() not in ENTER or modifiers != Qt.KeyboardModifier.NoModifier:
        return False
    event.accept()
    if not event.isAutoRepeat():
        button.click()
    return True
