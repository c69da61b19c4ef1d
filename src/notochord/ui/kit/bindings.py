"""Keeps a view equal to a view-model's observable values for as long as the view lives."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject

from notochord.core.observable import Change, Observable, ObservableList
from notochord.ui.kit.life import until_gone, while_alive

Value = TypeVar("Value")
Item = TypeVar("Item")


def bind(owner: QObject, observable: Observable[Value], show: Callable[[Value], None]) -> None:
    """Call `show` with the value now and after each change, until `owner` is destroyed."""
    until_gone(owner, observable.watch(while_alive(owner, show)))
    show(observable.value)


def bind_list(owner: QObject, items: ObservableList[Item], show: Callable[[], None]) -> None:
    """Call `show` now and after each change of the list; for short lists that are drawn as a whole."""

    def changed(_: Change) -> None:
        show()

    until_gone(owner, items.watch(while_alive(owner, changed)))
    show()
