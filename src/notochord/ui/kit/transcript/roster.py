"""The entries of a transcript and their parts, which are made when they are first asked for.

Opening a conversation of ten thousand messages makes no object for those that nobody sees: an unmade message stands as
its entry, in the list of entries and in that of parts alike.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

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
        for entry in entries:
            self._firsts.append(len(self._parts))
            if type(entry) is TextEntry and len(entry.text) <= most and not entry.streaming:
                self._items.append(entry)
                self._parts.append(entry)
            else:
                self._items.append(self._indexed(make(entry)))
        self._places = {item.id if type(item) is TextEntry else item.entry.id: n for n, item in enumerate(self._items)}  # type: ignore[union-attr]

    def _indexed(self, item: Item) -> Item:
        for index, part in enumerate(item.parts, len(self._parts)):
            part.index = index
        self._parts += item.parts
        return item

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
        return self.item(self._places[found.id]).parts[0] if isinstance(found, TextEntry) else found

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

    def prepend(self, entries: Iterable[Entry]) -> int:
        """Put entries before all others; return how many parts they are."""
        front = Roster(entries, self._make, self._most)
        items, parts = len(front._items), len(front._parts)
        for part in self.made():
            part.index += parts
        self._items[:0], self._parts[:0] = front._items, front._parts
        self._firsts = [*front._firsts, *(first + parts for first in self._firsts)]
        self._places = {**front._places, **{key: place + items for key, place in self._places.items()}}
        return parts

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
            del self._places[gone.id if isinstance(gone, TextEntry) else gone.entry.id]
        del self._items[number:], self._firsts[number:], self._parts[first:]
