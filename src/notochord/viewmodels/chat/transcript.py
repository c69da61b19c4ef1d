"""Keeps the pieces of a transcript equal to the record and to what is arriving, changing only what is different."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from notochord.core.errors import NotochordError
from notochord.core.observable import ObservableList
from notochord.services.approvals.api import Approval
from notochord.services.chat.api import Entry, Summary, TakenBack
from notochord.services.models.api import Role
from notochord.viewmodels.chat.layout import Block, blocks_of, has_text, live_pieces, pieces_of
from notochord.viewmodels.chat.live import LiveAnswer, LiveStep
from notochord.viewmodels.chat.pieces import Asked, CallMade, Piece, PlanProposed, SummedUp, WentBack

Questions = Callable[[], tuple[Approval, ...]]


class TranscriptPieces:
    """Blocks are the messages that are here, oldest first; `pieces` is what is seen of them.

    `answer` returns what is arriving, `questions` what waits for the user; `unplaced` says whether a question that
    belongs to no call here is shown at the end.
    """

    def __init__(self, *, answer: Callable[[], LiveAnswer], questions: Questions) -> None:
        self.pieces: ObservableList[Piece] = ObservableList()
        self.unplaced = True
        self.error: NotochordError | None = None
        self._answer = answer
        self._questions = questions
        self._blocks: list[Block] = []
        self._starts: list[int] = []
        self._prefixes: dict[str, str] = {}
        self._summaries: dict[str, list[Summary]] = {}
        self._taken_back: dict[str, TakenBack] = {}
        self._turn = -1
        """The number of the answer whose question is among the blocks: only its pieces may follow them."""

    @property
    def first(self) -> str:
        """The id of the first message that is here, "" without one."""
        return self._blocks[0].entry.id if self._blocks else ""

    @property
    def count(self) -> int:
        """How many messages are here, results of calls not counted."""
        return len(self._blocks)

    @property
    def complete(self) -> bool:
        """Whether the first message here is the conversation's first."""
        return not self._blocks or not self._blocks[0].entry.parent

    def block(self, entry: str) -> Block | None:
        """Return the message with this id, or whose results have it."""
        at = self._place_of(entry.removesuffix(".results"))
        return None if at is None else self._blocks[at]

    def key_of(self, entry: str) -> str:
        """Return the key of the first piece of a message, "" if it is not here."""
        at = self._place_of(entry.removesuffix(".results"))
        return "" if at is None or self._starts[at] >= len(self.pieces) else self.pieces[self._starts[at]].key

    def last_question(self) -> str:
        """Return the id of the user's last message, "" without one."""
        return next((b.entry.id for b in reversed(self._blocks) if b.entry.message.role is Role.USER), "")

    def take_end(
        self, entries: Sequence[Entry], summaries: Sequence[Summary], taken_back: Sequence[TakenBack], turn: int
    ) -> bool:
        """Put the end of the branch in place; tell whether it continues what was here before its first message."""
        self._turn = turn
        before = self._summaries, self._taken_back
        self._summaries = {}
        for summary in summaries:
            self._summaries.setdefault(summary.upto, []).append(summary)
        self._taken_back = {told.after: told for told in taken_back}
        new = blocks_of(entries, self._prefixes)
        at = self._place_of(new[0].entry.id) if new else None
        known, kept = at is not None, at or 0
        new = self._named(self._blocks[:kept], new)
        same = 0
        while same < len(new) and kept + same < len(self._blocks) and self._blocks[kept + same] == new[same]:
            same += 1
        self._blocks[kept:] = new
        self._show(min(max(0, kept + same - 1), *self._told_anew(*before)))
        return known

    def _told_anew(
        self, summaries: Mapping[str, Sequence[Summary]], taken_back: Mapping[str, TakenBack]
    ) -> Iterator[int]:
        """Yield where what is told between the messages is no longer as it was; the last message in any case."""
        yield len(self._blocks)
        told = (summaries, self._summaries), (taken_back, self._taken_back)
        changed = {entry for old, new in told for entry in old.keys() | new.keys() if old.get(entry) != new.get(entry)}
        yield from (at for at, block in enumerate(self._blocks) if block.entry.id in changed)
        if "" in changed:
            yield 0

    def take_earlier(self, entries: Sequence[Entry]) -> None:
        """Put earlier messages in front; nothing else is touched."""
        blocks = blocks_of(entries, self._prefixes)
        pieces, starts = self._laid_out((), blocks, last=False)
        self._blocks[:0] = blocks
        self._starts = [*starts, *(start + len(pieces) for start in self._starts)]
        self.pieces.insert_all(0, pieces)

    def show_end(self) -> None:
        """Lay out the last message again, and what arrives after it."""
        self._show(max(0, len(self._blocks) - 1))

    def let_go(self) -> None:
        """Forget everything, telling nobody, so that a long conversation is not left to the garbage collector."""
        self.pieces = ObservableList()
        self._blocks.clear()
        self._starts.clear()
        self._prefixes.clear()

    def _named(self, before: Sequence[Block], new: Sequence[Block]) -> list[Block]:
        """Let the replies of the turn under way keep the keys under which they streamed."""
        answer, blocks = self._answer(), [*before, *new]
        turn: list[Block] = []
        for block in reversed(blocks):
            if block.entry.message.role is Role.USER:
                break
            turn.insert(0, block)
        if answer.number and answer.number == self._turn and len(turn) < len(blocks):
            for block, step in zip(turn, answer.steps, strict=False):
                self._prefixes.setdefault(block.entry.id, step.prefix)
        return [replace(block, prefix=self._prefixes.get(block.entry.id, block.prefix)) for block in new]

    def _place_of(self, entry: str) -> int | None:
        for at in range(len(self._blocks) - 1, -1, -1):
            if self._blocks[at].entry.id == entry:
                return at
        return None

    def _show(self, at: int) -> None:
        start = self._starts[at] if at else 0  # a question can be here before any message is
        pieces, starts = self._laid_out(self._blocks[:at], self._blocks[at:], last=True)
        self._starts[at:] = [start + offset for offset in starts]
        replace_tail(self.pieces, start, pieces)

    def _laid_out(
        self, before: Sequence[Block], blocks: Sequence[Block], *, last: bool
    ) -> tuple[list[Piece], list[int]]:
        asked = self._questions() if last else ()
        questions = {approval.question.caller.cause.step: approval for approval in asked}
        steps = {step.prefix: step for step in self._answer().steps}
        pieces: list[Piece] = []
        starts: list[int] = []
        leads, opening = _leads(before), _opening(before)
        for block in blocks:
            starts.append(len(pieces))
            pieces += self._went_back("") if not block.entry.parent else ()
            opening = None if block.entry.message.role is Role.USER else opening or block.entry
            leads = leads or block.entry.message.role is Role.USER
            ends = last and block is blocks[-1]
            live, error = steps.get(block.prefix), self.error if ends else None
            pieces += pieces_of(
                block, questions=questions, leads=leads, opening=opening, live=live, last=ends, error=error
            )
            pieces += self._dividers(block)
            pieces += self._went_back(block.entry.id)
            leads = block.entry.message.role is Role.USER or (leads and not has_text(block))
        if last:
            pieces += self._arriving(questions, leads=leads)
            pieces += _unplaced(pieces, asked) if self.unplaced else ()
        return list(_unique(pieces)), starts

    def _dividers(self, block: Block) -> Iterator[Piece]:
        for number, summary in enumerate(self._summaries.get(block.entry.id, ())):
            yield SummedUp(f"{block.prefix}/summary{number}", summary.text, summary.at)

    def _went_back(self, after: str) -> Iterator[Piece]:
        if (told := self._taken_back.get(after)) is not None:
            yield WentBack(f"{after}/back", told.files, told.files_left, told.records, told.records_left)

    def _arriving(self, questions: Mapping[str, Approval], *, leads: bool) -> Iterator[Piece]:
        answer = self._answer()
        if answer.number != self._turn and answer.number:
            return
        recorded = {block.prefix for block in self._blocks}
        for step in answer.steps:
            if step.prefix not in recorded and _shows(step, answer):
                yield from live_pieces(step, questions=questions, leads=leads)
                leads = leads and not step.said


def replace_tail(pieces: ObservableList[Piece], start: int, new: Sequence[Piece]) -> None:
    """Make what stands from `start` on these pieces, telling of as little as can be."""
    for offset, piece in enumerate(new):
        at = start + offset
        if at < len(pieces) and pieces[at].key == piece.key:
            pieces.replace(at, piece)
            continue
        if at < len(pieces):
            pieces.remove(at, len(pieces) - at)
        pieces.extend(new[offset:])
        return
    if len(pieces) > start + len(new):
        pieces.remove(start + len(new), len(pieces) - start - len(new))


def _leads(before: Sequence[Block]) -> bool:
    """Tell whether the next text is the first one of its turn."""
    for block in reversed(before):
        if block.entry.message.role is Role.USER:
            return True
        if has_text(block):
            return False
    return True


def _opening(before: Sequence[Block]) -> Entry | None:
    """Return what the answer under way began with."""
    found: Entry | None = None
    for block in reversed(before):
        if block.entry.message.role is Role.USER:
            break
        found = block.entry
    return found


def _shows(step: LiveStep, answer: LiveAnswer) -> bool:
    """Of an answer whose begin was missed, only what is not recorded yet can be told from the record."""
    return bool(answer.number) or not step.ended


def _unplaced(pieces: Iterable[Piece], asked: Iterable[Approval]) -> list[Piece]:
    """Return the questions that no piece shows: a sub-agent's, or one of a call that is not here."""
    shown = {piece.approval.id for piece in pieces if isinstance(piece, CallMade | PlanProposed) and piece.approval}
    return [Asked(f"asked/{approval.id}", approval) for approval in asked if approval.id not in shown]


def _unique(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """A model can give two calls one id; their keys differ all the same."""
    seen: dict[str, int] = {}
    for piece in pieces:
        count = seen[piece.key] = seen.get(piece.key, 0) + 1
        yield piece if count == 1 else replace(piece, key=f"{piece.key}#{count}")
