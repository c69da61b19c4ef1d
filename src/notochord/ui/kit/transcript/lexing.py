"""Colours code a few milliseconds at a time, while nothing else is to be done; new colours show when complete."""

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from PySide6.QtCore import QObject, QTimer

from notochord.ui.kit.transcript.pieces.code import CodePiece
from notochord.ui.kit.transcript.pieces.code_line import Token

SLICE_SECONDS = 0.004
MOST = 200_000
"""Characters of a block that is coloured at all."""
MOST_OPEN = 16_384
"""Characters of a block that is coloured while it arrives, at most four times a second."""
_OPEN_PAUSE = 0.25


class Lexing(QObject):
    """`ready` is called when a block in view has new colours."""

    def __init__(self, ready: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._ready = ready
        self._work: dict[CodePiece, _Run | None] = {}
        self._done: dict[CodePiece, tuple[int, float]] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._slice)

    @property
    def idle(self) -> bool:
        """Whether nothing is left to colour."""
        return not self._work

    def clear(self) -> None:
        """Forget everything; the blocks are gone."""
        self._work.clear()
        self._done.clear()
        self._timer.stop()

    def want(self, piece: CodePiece, *, closed: bool) -> None:
        """Colour a block that is in view, unless it is coloured as it stands."""
        if not piece.language or piece in self._work or piece.has_long_lines or piece.length > MOST:
            return
        version, when = self._done.get(piece, (-1, 0.0))
        if version == piece.version:
            return
        if not closed and (piece.length > MOST_OPEN or time.perf_counter() - when < _OPEN_PAUSE):
            return
        self._work[piece] = None
        self._timer.start()

    def forget_unused(self, used: set[CodePiece]) -> None:
        """Keep no record of blocks that went out of view."""
        if len(self._done) > 4 * len(used) + 64:
            self._done = {piece: found for piece, found in self._done.items() if piece in used}

    def _slice(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS
        while self._work and time.perf_counter() < until:
            piece, run = next(reversed(self._work.items()))
            if run is None:
                run = self._work[piece] = _Run(piece)
            if run.go_on(until):
                del self._work[piece]
                self._done[piece] = (run.version, time.perf_counter())
                if run.version == piece.version or run.found:
                    piece.colour(run.found)
                    self._ready()
        if not self._work:
            self._timer.stop()


class _Run:
    """A lexer at work on one text, paused by the clock."""

    def __init__(self, piece: CodePiece) -> None:
        self.version = piece.version
        self.found: dict[int, list[Token]] = {}
        self._line = self._column = self._place = 0
        self._tokens = _tokens(piece.language, piece.text)

    def go_on(self, until: float) -> bool:
        """Read until a time; True at the end of the text."""
        for count, (place, kind, value) in enumerate(self._tokens, 1):
            self._column += place - self._place
            name = colour_of(kind)
            for number, text in enumerate(value.split("\n")):
                if number:
                    self._line, self._column = self._line + 1, 0
                if name and text:
                    self.found.setdefault(self._line, []).append((self._column, len(text), name))
                self._column += len(text)
            self._place = place + len(value)
            if not count % 32 and time.perf_counter() > until:
                return False
        return True


def _tokens(language: str, text: str) -> Iterator[tuple[int, Any, str]]:
    from pygments.lexers import get_lexer_by_name  # costs some milliseconds: not before the first code
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return iter(())
    return iter(lexer.get_tokens_unprocessed(text + "\n"))


@cache
def colour_of(kind: Any) -> str:
    """The name in CodeColours for a token type of Pygments; "" for plain."""
    from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String

    if kind in Comment:
        return "comment"
    if kind in Keyword or kind in Operator.Word or kind in Name.Tag:
        return "keyword"
    if kind in String:
        return "string"
    if kind in Number or kind in Name.Constant:
        return "number"
    if kind in Error:
        return "plain"
    names = (Name.Function, Name.Class, Name.Builtin, Name.Decorator, Name.Attribute, Name.Exception)
    return "name" if any(kind in name for name in names) else ""
