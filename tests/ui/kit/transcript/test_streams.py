"""What is seen while a text arrives: every part of it soon, in one look, and nothing of it made twice."""

from itertools import cycle
from random import Random
from typing import Any

import pytest
from markdown_it import MarkdownIt
from PySide6.QtCore import QEvent, QObject, QTimer

from notochord.ui.kit.transcript.entries import Role, TextEntry
from notochord.ui.kit.transcript.pieces.code import CodePiece
from notochord.ui.kit.transcript.pieces.piece import Piece
from notochord.ui.kit.transcript.pieces.text import TextPiece
from notochord.ui.kit.transcript.streaming import FRAME_MS, MOST_MS
from notochord.viewmodels.chat.markdown.leaves import BOLD, FORMULA
from support.transcript_views import Bench
from support.transcripts import block, formulas, stream_text

TOKENS_A_FRAME = 4


def live() -> TextEntry:
    return TextEntry("live", Role.ASSISTANT, who="A", streaming=True)


def bold_letters(piece: Piece) -> str:
    """Return the text without marks, the bold letters as capitals."""
    letters = list(piece.leaf.line.text)
    for span in piece.leaf.line.spans:
        if span.flags & BOLD:
            letters[span.start : span.end] = [letter.upper() for letter in letters[span.start : span.end]]
    return "".join(letters).replace("*", "")


def test_bold_in_two_chunks_ten_times_is_shown_bold_once_and_stays_so(bench: Bench) -> None:
    """Known fault A4: no other path of rendering shows the raw marks again, neither meanwhile nor at the end."""
    view = bench.load(live())
    for count in range(1, 11):
        for chunk, seen in (("**bold", "bold"), (" text**", "BOLD TEXT")):
            view.feed("live", chunk)
            view.streaming.flush()
            ((piece, _),) = bench.pieces()
            assert bold_letters(piece) == "BOLD TEXT" * (count - 1) + seen
    before = bench.picture()
    view.finish("live")
    bench.settle()
    ((piece, _),) = bench.pieces()
    assert bold_letters(piece) == "BOLD TEXT" * 10
    assert bench.picture() == before


def test_deltas_of_white_space_are_kept_to_the_byte(bench: Bench) -> None:
    """Known fault A7."""
    deltas = ["```python", "\n", "def", " ", "f():", "\n    ", "pass", "\n```"]
    view = bench.load(live())
    for delta in deltas:
        view.feed("live", delta)
        view.streaming.flush()
    view.finish("live")
    assert view.text_of("live") == "".join(deltas)
    ((piece, _),) = bench.pieces()
    assert isinstance(piece, CodePiece)
    assert piece.text == "def f():\n    pass"


class Updates(QObject):
    """Notes how much of the live text each painting of the view showed."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench.view)
        self._bench = bench
        self.shown: list[int] = []
        bench.view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.shown.append(len(self._bench.view.text_of("live")))
        return False


def test_formulas_are_painted_again_and_again_while_tokens_come_without_a_pause(bench: Bench) -> None:
    """Known fault A2: a display that waits for a pause, or for the end, would show nothing of this endless answer."""
    view, tokens = bench.load(live()), cycle(formulas())
    updates = Updates(bench)
    feeding = QTimer(view, interval=0)
    feeding.timeout.connect(lambda: view.feed("live", next(tokens)))
    feeding.start()
    bench.qtbot.waitUntil(lambda: len(set(updates.shown)) > 2, timeout=20_000)
    assert feeding.isActive()
    feeding.stop()
    view.finish("live")
    bench.settle()
    assert updates.shown == sorted(updates.shown)


def test_a_token_puts_off_no_painting_that_is_due(bench: Bench) -> None:
    """Known fault A2: each token would begin the wait anew, and at 60 of them in a second nothing would be painted."""
    view = bench.load(live())
    view.feed("live", "a")
    timer = view.streaming._timer
    begun = timer.id()
    for token in formulas(20):
        view.feed("live", token)
    assert timer.isActive()
    assert timer.id() == begun


@pytest.mark.parametrize(("cost", "wait"), [(0.0, FRAME_MS), (60.0, 120.0), (5_000.0, MOST_MS)])
def test_the_wait_for_the_next_painting_grows_with_its_cost_up_to_a_limit(
    bench: Bench, cost: float, wait: float
) -> None:
    view = bench.load(live())
    view.streaming._cost = cost
    view.feed("live", "a")
    assert view.streaming._timer.interval() == int(wait)


def test_the_work_for_a_token_does_not_grow_with_the_formulas_before(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known fault A2: counted in characters laid out, for the first and for the last tenth of the answer."""
    laid_out: list[int] = []
    layout = TextPiece.layout

    def counted(piece: TextPiece, width: float) -> float:
        if width != piece.width:
            laid_out.append(len(piece.leaf.text))
        return layout(piece, width)

    monkeypatch.setattr(TextPiece, "layout", counted)
    view, costs = bench.load(live()), list[int]()
    tokens = formulas()
    for at in range(0, len(tokens), TOKENS_A_FRAME):
        laid_out.clear()
        view.feed("live", "".join(tokens[at : at + TOKENS_A_FRAME]))
        view.streaming.flush()
        costs.append(sum(laid_out))
    tenth = len(costs) // 10
    assert sum(costs[-tenth:]) < 2 * sum(costs[:tenth])
    view.finish("live")
    bench.settle()
    in_view = [span for piece, _ in bench.pieces() for span in piece.leaf.line.spans]
    assert in_view
    assert all(span.flags & FORMULA for span in in_view)


def test_the_work_for_a_chunk_is_the_same_in_the_last_block_as_in_the_first(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known fault A1: eight blocks of a sentence, 40 lines of code and a table, in chunks of 50 characters."""
    parsed: list[int] = []
    parse = MarkdownIt.parse

    def counted(parser: MarkdownIt, src: str, env: Any = None) -> Any:
        parsed.append(len(src))
        return parse(parser, src, env)

    monkeypatch.setattr(MarkdownIt, "parse", counted)
    view, text = bench.load(live()), stream_text(8)
    costs: list[int] = []
    for at in range(0, len(text), 50):
        parsed.clear()
        view.feed("live", text[at : at + 50])
        view.streaming.flush()
        costs.append(sum(parsed))
    eighth = len(costs) // 8
    assert sum(costs[-eighth:]) < 1.5 * sum(costs[:eighth])
    assert max(costs) < 2 * len(block(Random(7)))
    view.finish("live")
    bench.settle()
