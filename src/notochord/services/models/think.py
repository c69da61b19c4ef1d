"""Parts reasoning that a model writes between <think> tags from its answer, however the text is cut into chunks."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby

_TAG = re.compile(r"<\s{0,2}(/?)\s{0,2}think(?:ing)?\s{0,4}>", re.IGNORECASE)
_UNFINISHED_TAG = re.compile(
    r"<\s{0,2}/?\s{0,2}(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?\s{0,4}$", re.IGNORECASE
)
_TOKEN = re.compile(r"`+|\n|[<]")
_FENCE = 3
_SLICE = 1_024
_MOST_BLANKS = 1_024
"""With more of them at its beginning, a round is no reasoning: a model that writes blanks without end."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text of one kind."""

    text: str
    reasoning: bool


class _Place(Enum):
    START = auto()
    THINKING = auto()
    ANSWER = auto()


class ThinkParser:
    """Reads one round of a model; every round begins anew.

    A tag opens only at the beginning of the round or right behind a closed one; inside code it is text. A closing tag
    that nothing opened is dropped. What is never closed becomes the answer at the end, if there is no other.
    """

    def __init__(self) -> None:
        self._place = _Place.START
        self._depth = 0
        self._code = 0
        self._waiting = ""
        self._thought: list[str] = []
        self._after_last_tag: list[str] | None = None
        self._answered = False
        self.retold = ""
        """Reasoning that `finish` gave again as the answer."""

    def feed(self, text: str) -> list[Span]:
        """Return what is certain so far."""
        spans: list[Span] = []
        for start in range(0, len(text), _SLICE):  # what waits is copied at each step, so it is kept short
            self._waiting += text[start : start + _SLICE]
            spans += self._read(final=False)
        return _joined(spans)

    def finish(self, *, answer_needed: bool) -> list[Span]:
        """Return the rest. If an answer is needed and there was none, unclosed reasoning is told again as one."""
        spans = _joined(self._read(final=True))
        self._waiting = ""
        if answer_needed and not self._answered:
            thought = "".join(self._thought)
            self.retold = "".join(self._after_last_tag or ()).strip() or thought.strip()
            if self.retold:
                spans.append(Span(self.retold, reasoning=False))
        return spans

    def _read(self, *, final: bool) -> Iterator[Span]:
        while self._waiting:
            step = self._begin(final=final) if self._place is _Place.START else self._next(final=final)
            if step is None:
                return
            yield from step

    def _begin(self, *, final: bool) -> list[Span] | None:
        lead = len(self._waiting) - len(self._waiting.lstrip())
        rest = self._waiting[lead:]
        tag = _TAG.match(rest)
        if tag and not tag[1] and lead <= _MOST_BLANKS:
            self._place, self._depth, self._code = _Place.THINKING, 1, 0
            self._waiting = rest[tag.end() :]
            return []
        if not final and lead <= _MOST_BLANKS and (not rest or _UNFINISHED_TAG.match(rest)):
            return None
        if self._thought:
            self._waiting = rest
        self._place, self._code = _Place.ANSWER, 0
        return []

    def _next(self, *, final: bool) -> list[Span] | None:
        """Take the text up to the next mark, and the mark."""
        mark = _TOKEN.search(self._waiting)
        if mark is None:
            return [self._take(len(self._waiting))]
        if mark.start():
            return [self._take(mark.start())]
        if mark[0][0] == "`" and mark.end() == len(self._waiting) and not final:
            return None
        if mark[0] == "<":
            return self._angle(final=final)
        self._count_code(mark[0])
        return [self._take(mark.end())]

    def _angle(self, *, final: bool) -> list[Span] | None:
        tag = _TAG.match(self._waiting)
        if tag is None:
            if not final and _UNFINISHED_TAG.match(self._waiting):
                return None
            return [self._take(1)]
        if self._place is _Place.ANSWER:
            return self._tag_in_answer(tag)
        return self._tag_in_thought(tag)

    def _tag_in_answer(self, tag: re.Match[str]) -> list[Span]:
        if self._code or not tag[1]:
            return [self._take(tag.end())]
        self._waiting = self._waiting[tag.end() :]
        return []

    def _tag_in_thought(self, tag: re.Match[str]) -> list[Span]:
        if tag[1]:
            self._after_last_tag = []
        if self._code:
            return [self._take(tag.end(), seen=bool(tag[1]))]
        self._depth += -1 if tag[1] else 1
        self._waiting = self._waiting[tag.end() :]
        if self._depth == 0:
            self._place = _Place.START
            self._after_last_tag = None
        return []

    def _take(self, length: int, *, seen: bool = False) -> Span:
        text, self._waiting = self._waiting[:length], self._waiting[length:]
        thinking = self._place is _Place.THINKING
        if thinking:
            self._thought.append(text)
            if self._after_last_tag is not None and not seen:
                self._after_last_tag.append(text)
        elif text.strip():
            self._answered = True
        return Span(text, thinking)

    def _count_code(self, mark: str) -> None:
        """Follow code spans and fences; a span of one or two backticks ends with its line at the latest."""
        if mark == "\n":
            self._code = self._code if self._code >= _FENCE else 0
        elif self._code == 0:
            self._code = len(mark)
        elif len(mark) == self._code or (self._code >= _FENCE and len(mark) >= self._code):
            self._code = 0


def _joined(spans: Iterable[Span]) -> list[Span]:
    return [
        Span("".join(span.text for span in stretch), reasoning)
        for reasoning, stretch in groupby((span for span in spans if span.text), key=lambda span: span.reasoning)
    ]
