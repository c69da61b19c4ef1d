"""Values and lists that tell whoever looks at them that they changed: the state of a view-model."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

from notochord.core.events import Unsubscribe

Value = TypeVar("Value")
Item = TypeVar("Item")


class Observable(Generic[Value]):
    """One value. Setting an equal value tells nobody; what a watcher sets while being told is told after."""

    def __init__(self, value: Value) -> None:
        self._value = value
        self._watchers: list[Callable[[Value], None]] = []

    @property
    def value(self) -> Value:
        return self._value

    def set(self, value: Value) -> None:
        """Keep the value and tell the watchers, in the order in which they came."""
        if value == self._value:
            return
        self._value = value
        for watcher in tuple(self._watchers):
            if watcher in self._watchers:
                watcher(self._value)

    def watch(self, watcher: Callable[[Value], None]) -> Unsubscribe:
        """Call `watcher` with each later value, until the returned function is called."""
        self._watchers.append(watcher)
        return lambda: self._forget(watcher)

    def _forget(self, watcher: Callable[[Value], None]) -> None:
        if watcher in self._watchers:
            self._watchers.remove(watcher)


@dataclass(frozen=True, slots=True)
class Inserted:
    """`count` items stand from `at` on that were not there before."""

    at: int
    count: int


@dataclass(frozen=True, slots=True)
class Removed:
    """`count` items that stood from `at` on are gone."""

    at: int
    count: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """The item at `at` is another one now."""

    at: int


@dataclass(frozen=True, slots=True)
class Moved:
    """The item that stood at `source` stands at `target` now."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Reset:
    """Everything may be different."""


Change = Inserted | Removed | Replaced | Moved | Reset


class ObservableList(Sequence[Item], Generic[Item]):
    """A list whose watchers are told each change after it has happened."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items = list(items)
        self._watchers: list[Callable[[Change], None]] = []

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(tuple(self._items))

    def watch(self, watcher: Callable[[Change], None]) -> Unsubscribe:
        """Call `watcher` after each later change, until the returned function is called."""
        self._watchers.append(watcher)
        return lambda: self._forget(watcher)

    def append(self, item: Item) -> None:
        """Put the item at the end."""
        self.insert(len(self._items), item)

    def insert(self, at: int, item: Item) -> None:
        """Put the item before the one at `at`. Raises IndexError outside 0 to the length."""
        if not 0 <= at <= len(self._items):
            raise IndexError(at)
        self._items.insert(at, item)
        self._tell(Inserted(at, 1))

    def extend(self, items: Iterable[Item]) -> None:
        """Put the items at the end, as one change."""
        self.insert_all(len(self._items), items)

    def insert_all(self, at: int, items: Iterable[Item]) -> None:
        """Put the items before the one at `at`, as one change. Raises IndexError outside 0 to the length."""
        new = list(items)
        if not 0 <= at <= len(self._items):
            raise IndexError(at)
        if new:
            self._items[at:at] = new
            self._tell(Inserted(at, len(new)))

    def remove(self, at: int, count: int = 1) -> None:
        """Take away `count` items from `at` on. Raises IndexError if they are not there."""
        if count < 1 or not 0 <= at <= len(self._items) - count:
            raise IndexError(at)
        del self._items[at : at + count]
        self._tell(Removed(at, count))

    def replace(self, at: int, item: Item) -> None:
        """Put another item in the place of the one at `at`; an equal one tells nobody. Raises IndexError."""
        if not 0 <= at < len(self._items):
            raise IndexError(at)
        if self._items[at] != item:
            self._items[at] = item
            self._tell(Replaced(at))

    def move(self, source: int, target: int) -> None:
        """Take the item from `source` and put it so that it stands at `target`. Raises IndexError."""
        if not (0 <= source < len(self._items) and 0 <= target < len(self._items)):
            raise IndexError((source, target))
        if source != target:
            self._items.insert(target, self._items.pop(source))
            self._tell(Moved(source, target))

    def reset(self, items: Iterable[Item]) -> None:
        """Put these items in the place of all; equal ones tell nobody."""
        new = list(items)
        if new != self._items:
            self._items = new
            self._tell(Reset())

    def _forget(self, watcher: Callable[[Change], None]) -> None:
        if watcher in self._watchers:
            self._watchers.remove(watcher)

    def _tell(self, change: Change) -> None:
        for watcher in tuple(self._watchers):
            if watcher in self._watchers:
                watcher(change)
