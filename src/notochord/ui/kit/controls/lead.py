"""A widget that hands the keyboard on to one of those inside it."""

from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget


class Lead(QWidget):
    """`setFocus` on it gives the keyboard to what it leads to; Tab stops at everything inside, one after the other.

    With a focus proxy instead, Tab would go straight to the proxy, past all that stands before it.
    """

    _target: QWidget | None = None

    def lead_to(self, target: QWidget) -> None:
        """Hand the keyboard on to this from now on."""
        self._target = target
        if self.hasFocus():
            target.setFocus()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._target is not None:
            self._target.setFocus(event.reason())
