"""Settings in a narrow window: a control stands below its words where both have no room side by side."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QWidget

NARROW = 440
"""Pixels below which a row is too narrow for words and control side by side."""


def stand_in(line: QBoxLayout, control: QWidget, width: int, *, beside: int, below: int) -> None:
    """Let the control at the end of the line stand beside the words, or below them where there is little room.

    `beside` and `below` are the pixels between the two. A control as small as a box to check stays beside.
    """
    down = width < NARROW and control.minimumWidth() > NARROW // 4
    wanted = QBoxLayout.Direction.TopToBottom if down else QBoxLayout.Direction.LeftToRight
    if line.direction() is wanted:
        return
    line.setDirection(wanted)
    line.setSpacing(below if down else beside)
    at_end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
    line.setAlignment(control, Qt.AlignmentFlag.AlignLeading if down else at_end)
