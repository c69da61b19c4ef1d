"""Makes an observable list equal to another one in small steps, so that what is selected or shown in it stays."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from notochord.core.observable import ObservableList

Item = TypeVar("Item")

MOST_STEPS = 12
"""New items from which on the whole list is told to be different: many steps cost more than one."""


def reconcile(shown: ObservableList[Item], wanted: Sequence[Item], key: Callable[[Item], str]) -> None:
    """Remove, move, replace and insert until the list holds what is wanted. Keys tell items apart."""
    keys = {key(item) for item in wanted}
    for at in range(len(shown) - 1, -1, -1):
        if key(shown[at]) not in keys:
            shown.remove(at)
    known = {key(item) for item in shown}
    if len(keys) - len(known) > MOST_STEPS or len(keys) != len(wanted):
        shown.reset(wanted)
        return
    for at, item in enumerate(wanted):
        name = key(item)
        if at >= len(shown) or key(shown[at]) != name:
            if name not in known:
                shown.insert(at, item)
                continue
            shown.move(next(found for found in range(at, len(shown)) if key(shown[found]) == name), at)
        shown.replace(at, item)
