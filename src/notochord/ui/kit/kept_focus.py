"""Keeps the keyboard where the user works while buttons take each other's places."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QWidget


@contextmanager
def keyboard_kept(*group: QWidget) -> Iterator[None]:
    """Let the first of the group that can be used have the keyboard, if one had it that is hidden or off afterwards.

    Such are Start and Cancel of one work. Qt alone goes on to whatever comes next, so that the next press of the space
    bar does something else.
    """
    before = group[0].window().focusWidget()
    yield
    if before not in group or _can_be_used(before):
        return
    if (heir := next((one for one in group if _can_be_used(one)), None)) is not None:
        heir.setFocus()


def _can_be_used(widget: QWidget) -> bool:
    return not widget.isHidden() and widget.isEnabled()
