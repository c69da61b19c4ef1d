"""The parts of a transcript: a message or some kilobytes of one, or a card. Without rows it is a text and a guess."""

from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.utils import EnvType

from notochord.core.surrogates import mended
from notochord.ui.kit.transcript.entries import CardEntry, Entry, Role, TextEntry
from notochord.ui.kit.transcript.pieces.piece import Piece
from notochord.ui.kit.transcript.row import Row
from notochord.viewmodels.chat.markdown.segments import START
from notochord.viewmodels.chat.markdown.splitter import Splitter

_NONE: frozenset[int] = frozenset()


class Item:
    """One entry and the parts that it was cut into."""

    __slots__ = ("_more", "entry", "folded", "parts")

    def __init__(self, entry: Entry, *, folded: bool = False) -> None:
        self.entry = entry
        self.folded = folded
        self.parts: list[Part] = []
        self._more: list[str] | None = None

    @property
    def keeps_lines(self) -> bool:
        """Whether its lines are shown as they were written: those of a person are, a model breaks them anywhere."""
        return isinstance(self.entry, TextEntry) and self.entry.role is Role.USER

    def add(self, text: str) -> None:
        """Take text that came later."""
        if self._more is None:
            self._more = [self.entry.text]
        self._more.append(text)

    @property
    def text(self) -> str:
        """The whole text as it came; of a card what is copied for it."""
        if self._more is None:
            return self.entry.text
        self._more = ["".join(self._more)]
        return self._more[0]


class TextPart:
    """Some of a text. `index` is its place among all parts."""

    __slots__ = (
        "entry",
        "env",
        "first",
        "goes_on",
        "index",
        "item",
        "last",
        "live",
        "measured",
        "rows",
        "source",
        "splitter",
        "wrapped",
    )

    def __init__(self, item: Item, entry: TextEntry, source: str, index: int = 0) -> None:
        self.item = item
        self.entry = entry
        self.source = source
        self.index = index
        self.env: EnvType | None = None
        self.goes_on = START
        self.first = self.last = True
        self.live = False
        """Still arriving: its rows stay."""
        self.splitter: Splitter | None = None
        self.rows: list[Row] | None = None
        self.measured = -1.0
        """The width for which its height is true; -1 when something changed."""
        self.wrapped: dict[int, frozenset[int]] | None = None
        """Which code blocks wrap their lines, by row."""

    @property
    def has_head(self) -> bool:
        """Whether a line with who wrote it stands above."""
        entry = self.entry
        return self.first and (entry.role is Role.REASONING or bool(entry.who or entry.badge or entry.when))

    @property
    def hidden(self) -> bool:
        """Folded away: only its head shows."""
        return self.item.folded

    def wraps(self, row: int) -> frozenset[int]:
        """Which code blocks of a row wrap their lines."""
        return self.wrapped.get(row, _NONE) if self.wrapped else _NONE

    def set_wraps(self, row: int, number: int, *, wraps: bool) -> None:
        """Wrap the lines of a code block, or do not."""
        known = self.wraps(row)
        self.wrapped = (self.wrapped or {}) | {row: known | {number} if wraps else known - {number}}

    def parsed(self, parser: MarkdownIt) -> Splitter:
        """Cut its source into segments."""
        splitter = Splitter(parser, goes_on=self.goes_on, keeps_lines=self.item.keeps_lines)
        if self.env is not None:
            splitter.env = self.env
        splitter.feed(mended(self.source))
        splitter.finish()
        return splitter

    def pieces(self) -> list[tuple[int, int, Piece]]:
        """Its pieces with row and number; empty while it is not open."""
        return [(r, k, piece) for r, row in enumerate(self.rows or ()) for k, piece in enumerate(row.pieces)]


@dataclass(eq=False, slots=True)
class CardPart:
    """The place of a card."""

    item: Item
    entry: CardEntry
    index: int = 0
    height: float = 0.0
    first: bool = True
    last: bool = True


Part = TextPart | CardPart
