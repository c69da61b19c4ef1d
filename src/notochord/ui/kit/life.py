"""Ties what a view hears to the view's life: nothing is called for a view that is gone."""

from collections.abc import Callable
from typing import TypeVar

import shiboken6  # noqa: TID251 - the only way to ask whether the C++ half of an object still lives
from PySide6.QtCore import QObject

from notochord.core.events import Unsubscribe

Value = TypeVar("Value")


def lives(one: QObject) -> bool:
    """Tell whether this is still there: Python may hold an object that Qt has destroyed."""
    return shiboken6.isValid(one)


def while_alive(owner: QObject, listener: Callable[[Value], None]) -> Callable[[Value], None]:
    """Return a listener that is silent once `owner` is destroyed."""

    def listen(value: Value) -> None:
        if shiboken6.isValid(owner):
            listener(value)

    return listen


def until_gone(owner: QObject, unsubscribe: Unsubscribe) -> None:
    """Call `unsubscribe` when `owner` is destroyed."""
    owner.destroyed.connect(lambda: unsubscribe())
