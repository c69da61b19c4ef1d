"""One segment on screen: its pieces, made again only when the segment moved on, keeping each that stayed the same."""

from itertools import pairwise

from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.pieces.code import CodePiece
from notochord.ui.kit.transcript.pieces.formula import FormulaPiece
from notochord.ui.kit.transcript.pieces.image import ImagePiece, Pictures
from notochord.ui.kit.transcript.pieces.piece import Piece
from notochord.ui.kit.transcript.pieces.rule import RulePiece
from notochord.ui.kit.transcript.pieces.table import TablePiece
from notochord.ui.kit.transcript.pieces.text import TextPiece
from notochord.viewmodels.chat.markdown.leaves import Kind, Leaf, leaves_of
from notochord.viewmodels.chat.markdown.segments import Segment
from notochord.viewmodels.chat.markdown.splitter import Splitter


class Row:
    """`height` holds the distance after the last piece too."""

    __slots__ = ("_known", "_version", "_width", "height", "pieces", "segment")

    def __init__(self, segment: Segment) -> None:
        self.segment = segment
        self.pieces: list[Piece] = []
        self.height = 0.0
        self._version = -1
        self._width = -1.0
        self._known = 0

    def update(self, splitter: Splitter, look: Look, pictures: Pictures, wrapped: frozenset[int]) -> None:
        """Bring the pieces to what the segment is now."""
        if self._version == self.segment.version:
            return
        self._version, self._width = self.segment.version, -1.0
        old = self.pieces
        if self.segment.fence is not None and old and isinstance(old[0], CodePiece):
            self._grow(old[0], splitter)
            return
        self.pieces = []
        for number, leaf in enumerate(leaves_of(splitter, self.segment)):
            before = old[number] if number < len(old) else None
            if before is not None and before.leaf == leaf:
                self.pieces.append(before)
            else:
                self.pieces.append(_piece(leaf, look, pictures, before, wraps=number in wrapped))
        for piece, after in pairwise(self.pieces):
            piece.below = look.style.gap + after.above
            piece.bars_below = min(piece.leaf.quotes, after.leaf.quotes)
        if self.segment.fence is not None:
            self._known = self.segment.settled_code_lines()

    def layout(self, width: float, look: Look) -> float:
        """Fit into a width and return the height."""
        if self._width != width:
            self.height = sum(piece.above + piece.layout(width) + look.style.gap for piece in self.pieces)
            self._width = width
        return self.height

    @property
    def outdated(self) -> bool:
        """Whether the segment moved on since the pieces were made."""
        return self._version != self.segment.version

    def leaves(self, splitter: Splitter) -> list[Leaf]:
        """The blocks of the segment as it is now, parsed again only if the pieces are older."""
        if self.outdated or self.segment.fence is not None:
            return leaves_of(splitter, self.segment)
        return [piece.leaf for piece in self.pieces]

    def relayout(self) -> None:
        """A piece changed its height by itself."""
        self._width = -1.0

    def _grow(self, piece: CodePiece, splitter: Splitter) -> None:
        """Give a growing code block its new lines, without reading the old ones."""
        segment = self.segment
        language = segment.fence.language if segment.fence is not None else ""
        if segment.joins:
            piece.grow(segment.code(splitter.partial).split("\n"), 0, language)
            return
        known = min(self._known, segment.settled_code_lines())
        piece.grow(segment.code_tail(splitter.partial, known), known, language)
        self._known = segment.settled_code_lines()


def _piece(leaf: Leaf, look: Look, pictures: Pictures, before: Piece | None, *, wraps: bool) -> Piece:
    match leaf.kind:
        case Kind.TEXT | Kind.HEADING:
            return TextPiece(leaf, look)
        case Kind.CODE:
            grown = isinstance(before, CodePiece) and before.take(leaf)
            return before if grown and before is not None else CodePiece(leaf, look, wraps=wraps)
        case Kind.TABLE:
            return TablePiece(leaf, look, before if isinstance(before, TablePiece) else None)
        case Kind.RULE:
            return RulePiece(leaf, look)
        case Kind.IMAGE:
            return ImagePiece(leaf, look, pictures)
        case Kind.FORMULA:
            return FormulaPiece(leaf, look)
