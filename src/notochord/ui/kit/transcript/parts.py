"""The parts of a transcript: a message or up to 8 KB of one, or a card. Without rows a part is a text and a guessed height."""

from dataclasses import dataclass, field

from markdown_it.utils import EnvType

from notochord.ui.kit.transcript.entries import CardEntry, Entry, Role, TextEntry
from notochord.ui.kit.transcript.pieces.piece import Piece
from notochord.ui.kit.transcript.row import Row
from notochord.viewmodels.chat.markdown.segments import START, Continuation
from notochord.viewmodels.chat.markdown.splitter import Splitter


@dataclass(eq=False, slots=True)
class Item:
    """One entry and the parts that it was cut into."""

    entry: Entry
    parts: list["Part"] = field(default_factory=list)
    source: list[str] = field(default_factory=list)
    """The text as it came, in pieces."""
    folded: bool = False

    @property
    def text(self) -> str:
        """The whole text as it came; of a card what is copied for it."""
        if isinstance(self.entry, CardEntry):
            return self.entry.text
        if len(self.source) > 1:
            self.source = ["".join(self.source)]
        return self.source[0] if self.source else ""


@dataclass(eq=False, slots=True)
class TextPart:
    """Some of a text. `index` is its place among all parts."""

    item: Item
    entry: TextEntry
    source: str = ""
    env: EnvType | None = None
    goes_on: Continuation = START
    first: bool = True
    last: bool = True
    live: bool = False
    """Still arriving: its rows stay."""
    index: int = 0
    splitter: Splitter | None = None
    rows: list[Row] | None = None
    measured: float = -1.0
    """The width for which its height is true; -1 when something changed."""
    wrapped: dict[int, frozenset[int]] = field(default_factory=dict)
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
