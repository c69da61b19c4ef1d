"""All parts of a transcript with their heights. Only those near the view are parsed and laid out, and few of them kept."""

from collections.abc import Callable, Iterable, Iterator

from markdown_it import MarkdownIt
from notochord.core.half_characters import mended
from notochord.ui.kit.transcript.entries import CardEntry, Entry, Role, TextEntry
from notochord.ui.kit.transcript.heights import Heights
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.parts import CardPart, Item, Part, TextPart
from notochord.ui.kit.transcript.pieces.image import Pictures
from notochord.ui.kit.transcript.pieces.piece import Piece
from notochord.ui.kit.transcript.row import Row
from notochord.viewmodels.chat.markdown.coarse import PART, Cut, cut, harvest
from notochord.viewmodels.chat.markdown.grammar import make_parser, new_env
from notochord.viewmodels.chat.markdown.splitter import Splitter

KEPT = 160
"""Parts that stay open; others fall back to their text, with their height."""
NEAR = 20
_HEAD_BELOW = 4.0
_NO_WRAP: frozenset[int] = frozenset()

Spliced = Callable[[int, int, int], None]
"""Told of parts that were put in the place of others: the first, how many went, how many came."""


class Content:
    """Parts are addressed by their index. Lays out for the width of the column; knows nothing of the view."""

    def __init__(self, look: Look, *, card_height: Callable[[CardPart, float], float], spliced: Spliced) -> None:
        self.look = look
        self.parser: MarkdownIt = make_parser()
        self.pictures = Pictures()
        self.items: list[Item] = []
        self.parts: list[Part] = []
        self.heights = Heights()
        self.width = float(look.style.column)
        self.anchor = 0
        """The part that is read now: those near it are never dropped."""
        self._by_id: dict[str, Item] = {}
        self._opened: dict[TextPart, None] = {}
        self._card_height = card_height
        self._spliced = spliced

    # What is there.

    def load(self, entries: Iterable[Entry]) -> None:
        """Show these instead of what was there. Nothing is parsed; long texts are cut at a glance."""
        self.items = [self._item(entry) for entry in entries]
        self._by_id = {item.entry.id: item for item in self.items}
        self.parts = [part for item in self.items for part in item.parts]
        self._opened.clear()
        for index, part in enumerate(self.parts):
            part.index = index
        self.heights = Heights(self._guess(part) for part in self.parts)

    def append(self, entry: Entry) -> Item:
        """Add an entry at the end. Raises ValueError if its id is there already."""
        if entry.id in self._by_id:
            raise ValueError(f"the transcript holds {entry.id} already")
        item = self._item(entry)
        self.items.append(item)
        self._by_id[entry.id] = item
        for part in item.parts:
            part.index = len(self.parts)
            self.parts.append(part)
            self.heights.append(self._guess(part))
        return item

    def replace(self, entry_id: str, entry: Entry) -> Item:
        """Show another entry in the place of one. Raises KeyError."""
        old = self._by_id.pop(entry_id)
        item = self._item(entry)
        item.folded = old.folded if isinstance(entry, TextEntry) and entry.role is Role.REASONING else False
        self._by_id[entry.id] = item
        self.items[self.items.index(old)] = item
        self._splice(old.parts[0].index, old.parts, item.parts)
        return item

    def remove_from(self, entry_id: str) -> None:
        """Take away an entry and all after it. Raises KeyError."""
        item = self._by_id[entry_id]
        at = self.items.index(item)
        for gone in self.items[at:]:
            del self._by_id[gone.entry.id]
        del self.items[at:]
        first = item.parts[0].index
        self._splice(first, self.parts[first:], [])

    def item(self, entry_id: str) -> Item:
        """The entry with this id. Raises KeyError."""
        return self._by_id[entry_id]

    def knows(self, entry_id: str) -> bool:
        """Whether there is an entry with this id."""
        return entry_id in self._by_id

    def split(self, part: TextPart, rows: int) -> TextPart:
        """Close a live part after so many rows; the rest becomes a part of its own."""
        item = part.item
        new = TextPart(item, part.entry, first=False, last=part.last, live=True, splitter=part.splitter)
        new.rows, part.rows = (part.rows or [])[rows:], (part.rows or [])[:rows]
        part.last, part.measured = False, -1.0
        item.parts.insert(item.parts.index(part) + 1, new)
        self.measure(part.index)
        new.index = part.index + 1
        if new.index == len(self.parts):
            self.parts.append(new)
            self.heights.append(0.0)
        else:
            self._insert(new)
        return new

    def _insert(self, new: TextPart) -> None:
        self.parts.insert(new.index, new)
        for index in range(new.index, len(self.parts)):
            self.parts[index].index = index
        self.heights.splice(new.index, 0, [0.0])
        self._spliced(new.index, 0, 1)

    def _splice(self, start: int, old: Iterable[Part], new: list[Part] | list[TextPart]) -> None:
        gone = list(old)
        for part in gone:
            if isinstance(part, TextPart):
                self._opened.pop(part, None)
        self.parts[start : start + len(gone)] = new
        for index in range(start, len(self.parts)):
            self.parts[index].index = index
        self.heights.splice(start, len(gone), [self._guess(part) for part in new])
        self._spliced(start, len(gone), len(new))

    def _item(self, entry: Entry) -> Item:
        item = Item(entry)
        if isinstance(entry, CardEntry):
            item.parts = [CardPart(item, entry, height=float(entry.height))]
            return item
        item.folded = entry.role is Role.REASONING and entry.folded
        text = mended(entry.text)
        item.source = [text]
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        if entry.streaming or len(text) <= PART:
            item.parts = [TextPart(item, entry, text)]
        else:
            item.parts = self._cut(item, entry, text)
        return item

    def _cut(self, item: Item, entry: TextEntry, text: str) -> list[Part]:
        env, cuts = new_env(), cut(text, self.parser)
        harvest(text, self.parser, env)
        parts: list[Part] = []
        for here, after in zip(cuts, [*cuts[1:], Cut(len(text))], strict=True):
            part = TextPart(item, entry, text[here.at : after.at], env, here.goes_on)
            part.first, part.last = here.at == 0, after.at == len(text)
            parts.append(part)
        return parts

    # Heights.

    def guess_again(self) -> None:
        """Forget all heights and layouts, after a change of style."""
        for part in self._opened:
            if not part.live:
                part.rows = None
        self._opened.clear()
        for part in self.parts:
            if isinstance(part, TextPart):
                part.measured = -1.0
                if part.live and part.splitter is not None:
                    part.rows = [Row(row.segment) for row in part.rows or ()]
        self.heights = Heights(self._guess(part) for part in self.parts)

    def _guess(self, part: Part) -> float:
        if isinstance(part, CardPart):
            return part.height + self.look.style.message_gap
        per = self.look.body_height * 1.3 / max(20.0, self.width / self.look.letter_width)
        return (0.0 if part.hidden else len(part.source) * per + self.look.body_height) + self._around(part)

    def top_of(self, part: TextPart) -> float:
        """How far below the top of a part its first row begins."""
        pad = self.look.style.padding if part.entry.role is Role.USER and part.first else 0.0
        return pad + (self.look.head_height + _HEAD_BELOW if part.has_head else 0.0)

    def inset(self, part: TextPart) -> float:
        """How far its rows are from both edges of the column."""
        return float(self.look.style.padding) if part.entry.role in (Role.USER, Role.REASONING) else 0.0

    def below(self, part: Part) -> float:
        """The distance to the next message."""
        return float(self.look.style.message_gap) if part.last else 0.0

    def _around(self, part: TextPart) -> float:
        pad = self.look.style.padding - self.look.style.gap
        return self.top_of(part) + self.below(part) + (pad if part.entry.role is Role.USER and part.last else 0.0)

    def measure(self, index: int) -> float:
        """Lay a part out, unless it is, and return its height."""
        part = self.parts[index]
        if isinstance(part, CardPart):
            part.height = self._card_height(part, self.width)
            self.heights.set(index, part.height + self.below(part))
        elif part.measured != self.width or part.rows is None:
            height = self._around(part)
            if not part.hidden:
                width = self.width - 2 * self.inset(part)
                height += sum(row.layout(width, self.look) for row in self.open(part))
            part.measured = self.width
            self.heights.set(index, height)
        elif not part.live:
            self._touch(part)
        return self.heights[index]

    def open(self, part: TextPart) -> list[Row]:
        """The rows of a part, parsed if they are not there."""
        if part.rows is None or part.splitter is None:
            splitter = part.splitter = Splitter(self.parser, goes_on=part.goes_on)
            if part.env is not None:
                splitter.env = part.env
            splitter.feed(part.source)
            splitter.finish()
            part.rows = [Row(segment) for segment in splitter.segments]
        for number, row in enumerate(part.rows):
            row.update(part.splitter, self.look, self.pictures, part.wrapped.get(number, _NO_WRAP))
        if not part.live:
            self._touch(part)
        return part.rows

    def _touch(self, part: TextPart) -> None:
        self._opened.pop(part, None)
        self._opened[part] = None
        if len(self._opened) > KEPT:
            for old in list(self._opened)[: KEPT // 4]:
                if abs(old.index - self.anchor) > NEAR and old is not part:
                    del self._opened[old]
                    old.rows = old.splitter = None
                    old.measured = -1.0

    @property
    def opened(self) -> int:
        """How many finished parts are laid out now."""
        return len(self._opened)

    def changed(self, part: TextPart) -> None:
        """Something in an open part has another height now."""
        part.measured = -1.0
        for row in part.rows or ():
            row.relayout()

    def changed_all(self, entry_id: str) -> None:
        """Every part of an entry may have another height now."""
        for part in self.item(entry_id).parts:
            if isinstance(part, TextPart):
                self.changed(part)

    def placed(self, part: TextPart, top: float) -> Iterator[tuple[int, int, Piece, float]]:
        """The pieces of an open part with row, number and their upper edge, where the part's own is `top`."""
        if part.hidden:
            return
        top += self.top_of(part)
        for r, row in enumerate(part.rows or ()):
            y = top
            for k, piece in enumerate(row.pieces):
                y += piece.above
                yield r, k, piece, y
                y += piece.height + self.look.style.gap
            top += row.height
