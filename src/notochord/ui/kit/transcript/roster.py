"""The entries of a transcript and their parts, which are made when they are first asked for.

Opening a conversation of ten thousand messages makes no object for those that nobody sees: an unmade message stands as
its entry, in the list of entries and in that of parts alike.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

from notochord.ui.kit.transcript.entries import Entry, Role, TextEntry
from notochord.ui.kit.transcript.parts import Item, Part, TextPart

Cut = Callable[[Entry], Item]
"""Makes an entry with its parts."""


class Roster:
    """Entries keep their place for as long as they are there; parts may come between others."""

    def __init__(self, entries: Iterable[Entry], make: Cut, most: int) -> None:
        """Take entries; a text with at most `most` characters is one part, for others `make` is called at once."""
        self._make = make
        self._most = most
        self._items: list[Item | TextEntry] = []
        self._parts: list[Part | TextEntry] = []
        self._firsts: list[int] = []
        self._numbers: dict[str, int] | None = None
        self._made: list[Item] = []
        self._lengths: list[int] = []
        found = list(entries)
        lengths = lengths_of(found)
        begin = 0
        for number in [number for number, length in enumerate(lengths) if not 0 <= length <= most]:
            if _is_plain(found[number], most):
                continue
            self._take(found[begin:number], lengths[begin:number])
            self._firsts.append(len(self._parts))
            item = self._indexed(make(found[number]))
            self._items.append(item)
            self._made.append(item)
            self._lengths += [-1] * len(item.parts)
            begin = number + 1
        self._take(found[begin:], lengths[begin:])

    def _take(self, plain: list[Entry], lengths: list[int]) -> None:
        """Take entries of one part each, without making any."""
        self._firsts += range(len(self._parts), len(self._parts) + len(plain))
        self._items += cast("list[TextEntry]", plain)
        self._parts += cast("list[TextEntry]", plain)
        self._lengths += lengths

    def taken(self) -> tuple[list[Item], list[int]]:
        """The entries that were made when all were taken, and the lengths of all parts; to be asked for once."""
        found = self._made, self._lengths
        self._made, self._lengths = [], []
        return found

    def _indexed(self, item: Item) -> Item:
        for index, part in enumerate(item.parts, len(self._parts)):
            part.index = index
        self._parts += item.parts
        return item

    @property
    def _places(self) -> dict[str, int]:
        """The number of each entry, counted when it is first asked for: to be shown, none needs to be known."""
        if self._numbers is None:
            self._numbers = {_id(item): number for number, item in enumerate(self._items)}
        return self._numbers

    # Entries.

    def place(self, entry_id: str) -> int:
        """The number of an entry. Raises KeyError."""
        return self._places[entry_id]

    def knows(self, entry_id: str) -> bool:
        """Whether there is an entry with this id."""
        return entry_id in self._places

    def count_items(self) -> int:
        """How many entries there are."""
        return len(self._items)

    def item(self, number: int) -> Item:
        """An entry by its number. Raises IndexError."""
        found = self._items[number]
        if isinstance(found, Item):
            return found
        item = self._items[number] = Item(found, folded=found.role is Role.REASONING and found.folded)
        index = self._firsts[number]
        part = TextPart(item, found, found.text, index)
        item.parts.append(part)
        self._parts[index] = part
        return item

    def made(self) -> Iterator[Part]:
        """The parts that exist already."""
        return (part for part in self._parts if not isinstance(part, TextEntry))

    # Parts.

    def count(self) -> int:
        """How many parts there are."""
        return len(self._parts)

    def part(self, index: int) -> Part:
        """A part by its index. Raises IndexError."""
        found = self._parts[index]
        return self.item(bisect_right(self._firsts, index) - 1).parts[0] if isinstance(found, TextEntry) else found

    def raw(self) -> Sequence[Part | TextEntry]:
        """All parts, with the entry where none was made."""
        return self._parts

    def is_close(self, index: int) -> bool:
        """Whether the part with this index, if there is one, begins an entry that stands close to the one before."""
        if not 0 < index < len(self._parts):
            return False
        part = self._parts[index]
        return part.close if isinstance(part, TextEntry) else part.entry.close

    # Changes.

    def append(self, entry: Entry) -> Item:
        """Add an entry at the end."""
        self._places[entry.id] = len(self._items)
        self._firsts.append(len(self._parts))
        item = self._make(entry)
        self._items.append(self._indexed(item))
        return item

    def prepend(self, entries: Iterable[Entry]) -> list[int]:
        """Put entries before all others; return the lengths of their parts."""
        front = Roster(entries, self._make, self._most)
        parts = len(front._parts)
        for part in self.made():
            part.index += parts
        self._items[:0], self._parts[:0] = front._items, front._parts
        self._firsts = [*front._firsts, *(first + parts for first in self._firsts)]
        self._numbers = None
        return front._lengths

    def replace(self, number: int, entry: Entry) -> tuple[Item, Item]:
        """Put another entry in the place of one; return the old and the new. The parts stay as they are."""
        old, new = self.item(number), self._make(entry)
        del self._places[old.entry.id]
        self._places[entry.id] = number
        self._items[number] = new
        return old, new

    def splice(self, start: int, gone: int, parts: Sequence[Part]) -> None:
        """Put parts in the place of others."""
        if gone != len(parts) and start + gone < len(self._parts):
            for number in range(len(self._items)):
                self.item(number)  # from now on nothing is where the first count had it
        self._parts[start : start + gone] = parts
        last = start + gone if gone == len(parts) else len(self._parts)
        for index in range(start, last):
            part = self._parts[index]
            if not isinstance(part, TextEntry):
                part.index = index

    def cut_off(self, number: int) -> None:
        """Take away an entry and all after it."""
        first = self.item(number).parts[0].index
        for gone in self._items[number:]:
            del self._places[_id(gone)]
        del self._items[number:], self._firsts[number:], self._parts[first:]


def lengths_of(parts: Iterable[Part | Entry]) -> list[int]:
    """How many characters each text has that is all shown and was not made; -1 for all else.

    Most of the time that ten thousand messages take to open is their way from the memory: this looks at each once.
    """
    reasoning = Role.REASONING
    return [
        len(part.text) if part.__class__ is TextEntry and part.role is not reasoning and not part.streaming else -1
        for part in parts
    ]


def _is_plain(entry: Entry, most: int) -> bool:
    """Whether an entry is one part that need not be made at once."""
    return isinstance(entry, TextEntry) and len(entry.text) <= most and not entry.streaming


def _id(item: Item | TextEntry) -> str:
    return item.id if isinstance(item, TextEntry) else item.entry.id
