"""All parts of a transcript with their heights. Only those near the view are parsed and laid out, and few are kept."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from markdown_it import MarkdownIt

from notochord.core.surrogates import mended
from notochord.ui.kit.transcript.entries import CardEntry, Entry, Role, TextEntry
from notochord.ui.kit.transcript.heights import Heights
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.parts import CardPart, Item, Part, TextPart
from notochord.ui.kit.transcript.pieces.image import Pictures
from notochord.ui.kit.transcript.pieces.piece import Piece
from notochord.ui.kit.transcript.roster import Roster, lengths_of
from notochord.ui.kit.transcript.row import Row
from notochord.viewmodels.chat.markdown.coarse import PART, Cut, cut, harvest
from notochord.viewmodels.chat.markdown.grammar import make_parser, new_env

KEPT = 160
"""Parts that stay open; others fall back to their text, with their height."""
NEAR = 20
_HEAD_BELOW = 4.0

Spliced = Callable[[int, int, int], None]
"""Told of parts that were put in the place of others: the first, how many went, how many came."""


class Content:
    """Parts are addressed by their index. Lays out for the width of the column; knows nothing of the view."""

    def __init__(self, look: Look, *, card_height: Callable[[CardPart, float], float], spliced: Spliced) -> None:
        self.look = look
        self.parser: MarkdownIt = make_parser()
        self.pictures = Pictures()
        self.roster = Roster((), self._item, PART)
        self.heights = Heights()
        self.width = float(look.style.column)
        self.anchor = 0
        """The part that is read now: those near it are never dropped."""
        self._opened: dict[TextPart, None] = {}
        self._card_height = card_height
        self._spliced = spliced

    # What is there.

    def load(self, entries: Iterable[Entry]) -> list[Item]:
        """Show these instead of what was there. Nothing is parsed; long texts are cut at a glance.

        Returns the entries that were made, among them all that are streaming.
        """
        self._opened.clear()
        self.roster = Roster(entries, self._item, PART)
        made, lengths = self.roster.taken()
        self.heights = Heights(self._guesses(lengths))
        return made

    def append(self, entry: Entry) -> Item:
        """Add an entry at the end. Raises ValueError if its id is there already."""
        if self.roster.knows(entry.id):
            raise ValueError(f"the transcript holds {entry.id} already")
        before = self.count - 1
        item = self.roster.append(entry)
        for part in item.parts:
            self.heights.append(self._guess(part))
        self._distance_changed(before)
        return item

    def prepend(self, entries: Iterable[Entry]) -> None:
        """Add entries before all others."""
        lengths = self.roster.prepend(entries)
        came = len(lengths)
        self.heights.splice(0, 0, self._guesses(lengths))
        self.anchor += came
        self._spliced(0, 0, came)

    def replace(self, entry_id: str, entry: Entry) -> Item:
        """Show another entry in the place of one. Raises KeyError."""
        old, item = self.roster.replace(self.roster.place(entry_id), entry)
        if isinstance(entry, TextEntry) and entry.role is Role.REASONING:
            item.folded = old.folded
        self._splice(old.parts[0].index, old.parts, item.parts)
        return item

    def remove_from(self, entry_id: str) -> None:
        """Take away an entry and all after it. Raises KeyError."""
        number = self.roster.place(entry_id)
        first, count = self.roster.item(number).parts[0].index, self.count
        self._opened = {part: None for part in self._opened if part.index < first}
        self.roster.cut_off(number)
        self.heights.splice(first, count - first, ())
        self._distance_changed(first - 1)
        self._spliced(first, count - first, 0)

    def _distance_changed(self, index: int) -> None:
        """Another entry follows the part with this index, if it is there, than before."""
        part = self.roster.raw()[index] if index >= 0 else None
        if isinstance(part, TextPart):
            part.measured = -1.0

    @property
    def count(self) -> int:
        """How many parts there are."""
        return self.roster.count()

    def part(self, index: int) -> Part:
        """A part. Raises IndexError."""
        return self.roster.part(index)

    def item(self, entry_id: str) -> Item:
        """The entry with this id. Raises KeyError."""
        return self.roster.item(self.roster.place(entry_id))

    def source_at(self, index: int) -> str:
        """The source of a part, without making it; "" while it is folded away."""
        part = self.roster.raw()[index]
        if isinstance(part, TextEntry):
            return "" if part.role is Role.REASONING and part.folded else part.text
        if isinstance(part, CardPart):
            return part.entry.text
        if part.live:
            return "\n".join(row.segment.text() for row in part.rows or ())
        return "" if part.hidden else part.source

    def split(self, part: TextPart, rows: int) -> TextPart:
        """Close a live part after so many rows; the rest becomes a part of its own."""
        item = part.item
        new = TextPart(item, part.entry, "")
        new.first, new.last, new.live, new.splitter = False, part.last, True, part.splitter
        new.rows, part.rows = (part.rows or [])[rows:], (part.rows or [])[:rows]
        part.last, part.measured = False, -1.0
        item.parts.insert(item.parts.index(part) + 1, new)
        self.measure(part.index)
        new.index = part.index + 1
        if new.index == self.count:
            self.roster.splice(new.index, 0, [new])
            self.heights.append(0.0)
        else:
            self._splice(new.index, [], [new])
        return new

    def _splice(self, start: int, old: Sequence[Part], new: Sequence[Part]) -> None:
        for part in old:
            if isinstance(part, TextPart):
                self._opened.pop(part, None)
        self.roster.splice(start, len(old), new)
        if len(old) == len(new):
            for part in new:
                self.heights.set(part.index, self._guess(part))
        else:
            self.heights.splice(start, len(old), [self._guess(part) for part in new])
        self._spliced(start, len(old), len(new))

    def _item(self, entry: Entry) -> Item:
        if isinstance(entry, CardEntry):
            item = Item(entry)
            item.parts = [CardPart(item, entry, height=float(entry.height))]
            return item
        item = Item(entry, folded=entry.role is Role.REASONING and entry.folded)
        if entry.streaming or len(entry.text) <= PART:
            item.parts = [TextPart(item, entry, entry.text)]
            return item
        text = mended(entry.text)
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        item.parts = self._cut(item, entry, text)
        return item

    def _cut(self, item: Item, entry: TextEntry, text: str) -> list[Part]:
        env, cuts = new_env(), cut(text, self.parser)
        harvest(text, self.parser, env)
        parts: list[Part] = []
        for here, after in zip(cuts, [*cuts[1:], Cut(len(text))], strict=True):
            part = TextPart(item, entry, text[here.at : after.at])
            part.env, part.goes_on = env, here.goes_on
            part.first, part.last = here.at == 0, after.at == len(text)
            parts.append(part)
        return parts

    # Heights.

    def guess_again(self) -> None:
        """Forget all heights and layouts, after a change of style."""
        self._opened.clear()
        for part in self.roster.made():
            if isinstance(part, TextPart):
                part.measured = -1.0
                part.rows = [Row(row.segment) for row in part.rows or ()] if part.live else None
        self.heights = Heights(self._guesses(lengths_of(self.roster.raw())))

    def _guesses(self, lengths: Sequence[int]) -> list[float]:
        """The guesses for the first parts, whose lengths these are; those of unmade messages in the cheapest way."""
        per, parts = self._height_of_character(), self.roster.raw()
        message = TextEntry("", Role.ASSISTANT, who="x")
        base = self._guess(TextPart(Item(message), message, ""))
        return [
            length * per + base if length >= 0 else self._guess_unmade(parts[index])
            for index, length in enumerate(lengths)
        ]

    def _guess_unmade(self, part: Part | TextEntry) -> float:
        if isinstance(part, TextEntry):
            return self._guess(TextPart(Item(part, folded=part.folded), part, part.text))
        return self._guess(part)

    def _height_of_character(self) -> float:
        return self.look.body_height * 1.3 / max(20.0, self.width / self.look.letter_width)

    def _guess(self, part: Part) -> float:
        if isinstance(part, CardPart):
            return part.height + self.look.style.message_gap
        text = 0.0 if part.hidden else len(part.source) * self._height_of_character()
        if not part.first and not part.last:
            return text
        text += 0.0 if part.hidden else self.look.body_height
        return text + self._around(part)

    def top_of(self, part: TextPart) -> float:
        """How far below the top of a part its first row begins."""
        pad = self.look.style.padding if part.entry.role is Role.USER and part.first else 0.0
        return pad + (self.look.head_height + _HEAD_BELOW if part.has_head else 0.0)

    def inset(self, part: TextPart) -> float:
        """How far its rows are from both edges of the column."""
        return float(self.look.style.padding) if part.entry.role in (Role.USER, Role.REASONING) else 0.0

    def below(self, part: Part) -> float:
        """The distance to the next message, or to the next piece of this one."""
        if not part.last:
            return 0.0
        return float(self.look.style.gap if self.roster.is_close(part.index + 1) else self.look.style.message_gap)

    def _around(self, part: TextPart) -> float:
        pad = self.look.style.padding - self.look.style.gap
        return self.top_of(part) + self.below(part) + (pad if part.entry.role is Role.USER and part.last else 0.0)

    def measure(self, index: int) -> float:
        """Lay a part out, unless it is, and return its height."""
        part = self.part(index)
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
            part.splitter = part.parsed(self.parser)
            part.rows = [Row(segment) for segment in part.splitter.segments]
        for number, row in enumerate(part.rows):
            row.update(part.splitter, self.look, self.pictures, part.wraps(number))
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

    def let_go(self, part: TextPart) -> bool:
        """Keep of a part that has settled only its text and its height, unless it is near the view."""
        if abs(part.index - self.anchor) <= NEAR:
            return False
        self._opened.pop(part, None)
        part.rows = part.splitter = None
        part.measured = -1.0
        return True

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
